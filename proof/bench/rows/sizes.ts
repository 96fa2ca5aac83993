import { setTimeout as sleep } from 'node:timers/promises';
import { partitionTables } from '../../../server/src/maintenance/partitions/index.ts';
import { watching } from '../../stage/faults/processes.ts';
import type { Source } from '../../stage/load/jobs.ts';
import { say } from '../../stage/report.ts';
import {
  type Bench,
  callLeg,
  creates,
  type Ground,
  noteGrowth,
  type Place,
  polls,
  reads,
  reports,
  serviceOn,
  warmUp,
} from '../bench.ts';
import { populate } from '../ground/population.ts';
import { settle, storeManyDecided, storePending } from '../ground/stored.ts';

/** As many as partitions, so that several of these are in use. */
const MERCHANTS = 64;
const PARTITIONS = 64;
const SIZES = [100_000, 1_000_000, 10_000_000];
/** What a connection did is counted ten seconds after it fell idle at the latest. */
const COUNTED_AFTER_MS = 10_500;
const LOOK_MS = 200;

/**
 * The cost of each call with 100,000, 1,000,000 and 10,000,000 requests stored (`--stored 10000000`), in one table and
 * in hash partitions. Reported are pages and processor time, not rates: they mean the same on a busy machine.
 */
export async function measureSizes(bench: Bench): Promise<void> {
  await measureLayout(bench, 'one table', async () => {});
  await measureLayout(bench, `${PARTITIONS} partitions`, ({ database }) =>
    partitionTables(database.sql, PARTITIONS),
  );
}

async function measureLayout(
  bench: Bench,
  name: string,
  prepare: (ground: Ground) => Promise<unknown>,
): Promise<void> {
  const database = await bench.cluster.createDatabase('for_sizes');
  const callers = await populate(database.sql, 'quiet', MERCHANTS);
  const ground = { database, callers };
  await prepare(ground);
  let filled = 0;
  for (const size of SIZES.filter((each) => each <= bench.settings.stored)) {
    const startedMs = performance.now();
    await storeManyDecided(database.sql, callers, filled, size);
    await settle(database.sql);
    filled = size;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    say(`  ${size.toLocaleString('en')} stored, ${name} (${seconds} s)`);
    await measureSize(bench, { name, ground }, size);
  }
  await database.drop();
}

async function measureSize(
  bench: Bench,
  { name, ground }: { name: string; ground: Ground },
  size: number,
): Promise<void> {
  const { sql } = ground.database;
  const note = (what: string, value: string) =>
    noteGrowth(bench, what, value, `${size.toLocaleString('en')} stored, ${name}`);
  const [whole] = await sql<
    { bytes: number }[]
  >`select pg_database_size(current_database())::float8 as bytes`;
  note('whole database', `${((whole?.bytes ?? 0) / 2 ** 20).toFixed(0)} MiB`);
  const service = await serviceOn(ground);
  const toReport = (run: string) =>
    storePending(sql, ground.callers, bench.settings.reports, `${size} ${run}`);
  const sources: [string, () => Source | Promise<Source>][] = [
    ['create', () => creates(ground.callers)],
    ['read', () => reads(ground, size)],
    ['poll', () => polls(ground)],
    ['status report', async () => reports(await toReport('measured'), 'signed')],
  ];
  await warmUp(bench, service, reports(await toReport('warm-up'), 'signed'));
  for (const [kind, source] of sources) {
    if (kind !== 'status report') await warmUp(bench, service, await source());
    note(kind, await costOf(bench, ground, service, await source()));
  }
  note('expiry', await costOfExpiry(bench, ground, service, `${size} overdue`));
  await service.stop();
}

async function costOf(bench: Bench, ground: Ground, service: Place, source: Source): Promise<string> {
  const before = await pagesSoFar(ground);
  const leg = await callLeg(bench, service, source);
  const pages = (await pagesSoFar(ground)) - before;
  return `${(pages / leg.calls).toFixed(1)} pages, ${timeText(leg.serviceCpuMsPerCall, leg.databaseCpuMsPerCall)}`;
}

/** The cost of many requests that become overdue together, until the service has settled the last of them. */
async function costOfExpiry(bench: Bench, ground: Ground, service: Place, run: string): Promise<string> {
  const { sql } = ground.database;
  const { reports: count } = bench.settings;
  const areLeft = async () => {
    const left = await sql`
      select from pending_requests where expires_at < now() and merchant_id <> '' limit 1`;
    return left.length > 0;
  };
  await storePending(sql, ground.callers, count, run, 'overdue');
  const { cpuMs } = await watching([service.pid, bench.cluster.pid], async () => {
    while (await areLeft()) await sleep(LOOK_MS);
  });
  return timeText(...cpuMs.map((ms) => (ms === undefined ? undefined : ms / count)));
}

/** Pages that the whole database has accessed, cached or not. */
async function pagesSoFar({ database }: Ground): Promise<number> {
  await sleep(COUNTED_AFTER_MS);
  const [row] = await database.sql<{ pages: number }[]>`
    select (blks_hit + blks_read)::float8 as pages from pg_stat_database where datname = current_database()`;
  return row?.pages ?? 0;
}

function timeText(serviceMs?: number, databaseMs?: number): string {
  const micros = (ms: number | undefined) => (ms === undefined ? '–' : (ms * 1000).toFixed(0));
  return `${micros(serviceMs)} µs service + ${micros(databaseMs)} µs PostgreSQL`;
}
