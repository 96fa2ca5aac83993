import type postgres from '../../../vendor/postgres/src/index.js';
import { SHARDS_CHANGED } from '../../db/faults.ts';

type Transaction = postgres.TransactionSql<{ bigint: number }>;

/**
 * When a shard of a distributed database is split, Citus blocks writes, and lets them continue when it is done. An
 * `insert` from a `select` that waited then writes into the previous shard, which is about to be dropped, without an
 * error. A split makes new shards, whose numbers are greater. So every write reads the greatest before and after, and
 * fails when it has changed: the retry finds the new shards. Once it has written, a split waits for it to end.
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

/** For a transaction: runs at its beginning, and the returned function before its commit. */
export function noteShards(sql: Transaction): () => Promise<void> {
  // Makes Citus commit in two phases whatever the transaction writes to (docs/decisions/0015-many-machines.md).
  sql`delete from distributed_commits where false`.execute();
  const noted = greatestShard(sql);
  // Whatever made this fail makes the work fail as well, which is reported.
  noted.catch(() => {});
  return async () => {
    if ((await noted) !== (await greatestShard(sql)))
      throw Object.assign(new Error('a shard was split meanwhile'), { code: SHARDS_CHANGED });
  };
}
