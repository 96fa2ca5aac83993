import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../stage/report.ts';
import { type Bench, callLeg, creates, type Ground, type Place } from '../bench.ts';
import type { Caller } from '../ground/population.ts';
import { type Cost, costLine } from '../report/model.ts';

/** What a call leaves behind, next to its rate. */
export function noteCost(bench: Bench, cost: Cost): void {
  bench.report.costs.push(cost);
  say(`  ${costLine(cost)}`);
}

const TRIES = 3;

/** Bytes of the write-ahead log for each call that `work` makes; `work` returns the number of calls. */
export async function logBytes(ground: Ground, work: () => Promise<number>): Promise<number> {
  const { sql } = ground.database;
  const [before] = await sql<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`;
  const count = await work();
  const [row] = await sql<{ bytes: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), ${before?.lsn ?? '0/0'}::pg_lsn)::bigint as bytes`;
  return (row?.bytes ?? 0) / count;
}

/** After a checkpoint the first change of each page logs the whole page: what one falls into is measured again. */
export async function betweenCheckpoints<T>(
  ground: Ground,
  measure: () => Promise<T>,
  beforehand: () => Promise<unknown> = async () => {},
): Promise<T> {
  const { sql } = ground.database;
  const checkpoint = async () =>
    (await sql`select redo_lsn::text from pg_control_checkpoint()`)[0]?.['redo_lsn'];
  for (let tried = 0; tried < TRIES; tried += 1) {
    await beforehand();
    const before = await checkpoint();
    const measured = await measure();
    if ((await checkpoint()) === before) return measured;
  }
  throw new Error('a checkpoint fell into every stretch');
}

/** What each call of `work` writes: with every page for the first time since a checkpoint, and when that is past. */
export async function noteLog(
  bench: Bench,
  ground: Ground,
  what: string,
  work: () => Promise<number>,
): Promise<void> {
  const { sql } = ground.database;
  const { cold, warm } = await betweenCheckpoints(
    ground,
    async () => ({ cold: await logBytes(ground, work), warm: await logBytes(ground, work) }),
    () => sql`checkpoint`,
  );
  const note = (when: string, value: number) =>
    noteCost(bench, { what: `${what}, ${when}`, value, unit: 'bytes', digits: 0, target: null });
  note('pages already touched', warm);
  note('right after a checkpoint', cold);
}

/** One series of creates; returns how many requests it stored, the warm-up included. */
export async function createSome(
  bench: Bench,
  ground: Ground,
  service: Place,
  callers: readonly Caller[],
  inFlight?: number,
): Promise<number> {
  const { sql } = ground.database;
  const count = async () => {
    const [row] = await sql<
      { count: number }[]
    >`select count(*) from payment_requests where created_at > now() - interval '1 hour'`;
    return row?.count ?? 0;
  };
  const before = await count();
  await callLeg(bench, service, creates(callers), inFlight === undefined ? {} : { inFlight });
  return (await count()) - before;
}

const LEAVE_MS = 30_000;

/** Updates of a table so far, and how many of them touched no index. A backend counts them in when it ends at the latest. */
export async function updatesOf(ground: Ground, table: string): Promise<{ all: number; hot: number }> {
  const { sql } = ground.database;
  const deadlineMs = performance.now() + LEAVE_MS;
  const others = () => sql`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and application_name <> 'bench'`;
  while ((await others()).length > 0) {
    if (performance.now() > deadlineMs) throw new Error('a client is still connected');
    await sleep(50);
  }
  const [row] = await sql<{ all: number; hot: number }[]>`
    select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables where relname = ${table}`;
  if (!row) throw new Error(`no table ${table}`);
  return row;
}
