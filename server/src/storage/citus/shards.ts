import type postgres from '../../../vendor/postgres/src/index.js';
import { SHARDS_CHANGED } from '../../db/faults.ts';

type Transaction = postgres.TransactionSql<{ bigint: number }>;

/**
 * When a shard of a distributed database is split, Citus holds writes back, and lets them go on when it is done. An `insert`
 * from a `select` that waited then writes into the former shard, which is about to be dropped, and nobody is told. A split
 * makes new shards, whose numbers are greater. So whatever writes looks at the greatest before and after, and gives up
 * when it has changed: the next try finds the new shards. Once it has written, a split waits for it to end.
 */
const GREATEST = '(select max(shardid) from pg_dist_shard)';

/** For a function: among its declarations, and at its end. */
export const NOTE_SHARDS = `noted_shard bigint := ${GREATEST};`;
export const CHECK_SHARDS = `if noted_shard <> ${GREATEST} then
    raise exception 'a shard was split meanwhile' using errcode = '${SHARDS_CHANGED}';
  end if;`;

async function greatestShard(sql: Transaction): Promise<number | null> {
  const [row] = await sql<[{ shard: number | null }]>`select max(shardid) as shard from pg_dist_shard`;
  return row.shard;
}

/** For a transaction: at its beginning, and what it answers before its commit. */
export function noteShards(sql: Transaction): () => Promise<void> {
  // Makes Citus commit in two phases whatever the transaction writes to (docs/decisions/0015-many-machines.md).
  sql`delete from distributed_commits where false`.execute();
  const noted = greatestShard(sql);
  // What made it fail makes the work fail as well, which is told.
  noted.catch(() => {});
  return async () => {
    if ((await noted) !== (await greatestShard(sql)))
      throw Object.assign(new Error('a shard was split meanwhile'), { code: SHARDS_CHANGED });
  };
}
