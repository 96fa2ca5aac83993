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

/** For a transaction: at its beginning, without waiting for it. */
export function noteShards(sql: Transaction): void {
  sql`select set_config('svc.noted_shard', max(shardid)::text, true) from pg_dist_shard`.execute();
}

/** And before its commit. */
export async function checkShards(sql: Transaction): Promise<void> {
  const [row] = await sql<{ is_same: boolean }[]>`
    select max(shardid)::text = current_setting('svc.noted_shard') as is_same from pg_dist_shard`;
  if (!row?.is_same) throw Object.assign(new Error('a shard was split meanwhile'), { code: SHARDS_CHANGED });
}
