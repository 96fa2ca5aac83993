import type postgres from '../../vendor/postgres/src/index.js';

type Transaction = postgres.TransactionSql<{ bigint: number }>;

/**
 * When a shard of a distributed database is split, Citus holds writes back, and lets them go on when it is done. An `insert`
 * from a `select` that waited then writes into the former shard, which is about to be dropped, and nobody is told. A split
 * makes new shards, whose numbers are greater. So whatever writes looks at the greatest before and after, and gives up
 * when it has changed: the next try finds the new shards. Once it has written, a split waits for it to end.
 */
export const SHARDS_CHANGED = 'PA001';

const GREATEST = '(select max(shardid) from pg_dist_shard)';

/** For a function: among its declarations, and at its end. */
export const NOTE_SHARDS = `noted_shard bigint := ${GREATEST};`;
export const CHECK_SHARDS = `if noted_shard <> ${GREATEST} then
    raise exception 'a shard was split meanwhile' using errcode = '${SHARDS_CHANGED}';
  end if;`;

/** For a transaction: at its beginning, and before its commit. */
export async function greatestShard(sql: Transaction): Promise<number | null> {
  const [row] = await sql<[{ shard: number | null }]>`select max(shardid) as shard from pg_dist_shard`;
  return row.shard;
}

export async function checkShards(sql: Transaction, noted: Promise<number | null>): Promise<void> {
  if ((await noted) !== (await greatestShard(sql)))
    throw Object.assign(new Error('a shard was split meanwhile'), { code: SHARDS_CHANGED });
}
