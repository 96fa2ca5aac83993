import { setTimeout as sleep } from 'node:timers/promises';
import { memoryBytesOf, watching } from '../../stage/faults/processes.ts';
import type { WaitingJob, WaitingResult } from '../../stage/load/waiting.ts';
import {
  type Bench,
  callLeg,
  type Ground,
  noteGrowth,
  type Place,
  prepareGround,
  reports,
  serviceOn,
} from '../bench.ts';
import { listen } from '../ground/population.ts';
import { storePending } from '../ground/stored.ts';
import { createSome, logBytes } from './costs.ts';
import { startWaiting, waitingPolls } from './waiting.ts';
import { fillQueue } from './webhooks.ts';

type Note = (what: string, value: string, how: string) => void;

/** Polls may wait for 30 seconds: everything that is measured while they do must fit in. */
const REST_MS = 12_000;

/** What the paper on growth reckons with: sizes, log volume, housekeeping and waiting calls of this very schema. */
export async function measureGrowth(bench: Bench): Promise<void> {
  const note: Note = (what, value, how) => noteGrowth(bench, what, value, how);
  const { stored } = bench.settings;
  const ground = await prepareGround(bench, 'for_growth', stored);
  await noteSizes(ground, ['payment_requests', 'payment_request_events'], note);
  await noteWhole(ground, stored, note);
  await noteWebhookSizes(ground, note);
  const service = await serviceOn(ground);
  await noteLogVolume(bench, ground, service, note);
  await noteWaiting(bench, ground, service, note);
  await noteHousekeeping(ground, note);
  await service.stop();
}

async function noteSizes({ database }: Ground, tables: readonly string[], note: Note): Promise<void> {
  const { sql } = database;
  await sql`create extension if not exists pageinspect`;
  for (const table of tables) {
    const [row] = await sql<{ rows: number; heap: number; total: number }[]>`
      select (select reltuples::bigint from pg_class where oid = ${table}::regclass) as rows,
             pg_relation_size(${table}::regclass) as heap, pg_total_relation_size(${table}::regclass) as total`;
    if (!row) continue;
    const how = `${row.rows.toLocaleString('en')} rows, freshly vacuumed`;
    note(`${table}: bytes a row in the table`, (row.heap / row.rows).toFixed(0), how);
    note(`${table}: bytes a row with its indexes`, (row.total / row.rows).toFixed(0), how);
  }
  const indexes = await sql<{ name: string; bytes: number; level: number }[]>`
    select c.relname as name, pg_relation_size(c.oid) as bytes, (bt_metap(c.relname)).level::int as level
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any(${[...tables]}::regclass[]) order by c.relname`;
  for (const { name, bytes, level } of indexes)
    note(
      `index ${name}`,
      `${(bytes / 2 ** 20).toFixed(0)} MiB, depth ${level + 1}`,
      'size, and pages from root to leaf',
    );
}

async function noteWhole({ database }: Ground, stored: number, note: Note): Promise<void> {
  const [whole] = await database.sql<
    { bytes: number }[]
  >`select pg_database_size(current_database()) as bytes`;
  note(
    'whole database',
    `${((whole?.bytes ?? 0) / 2 ** 20).toFixed(0)} MiB`,
    `${stored.toLocaleString('en')} requests stored`,
  );
}

async function noteWebhookSizes(ground: Ground, note: Note): Promise<void> {
  const { sql } = ground.database;
  const merchantId = ground.callers[0]?.merchantId ?? '';
  const endpointId = await listen(sql, merchantId, 'http://127.0.0.1:9/never');
  await sql`update webhook_endpoints set deleted_at = now() where webhook_endpoint_id = ${endpointId}`;
  await fillQueue(ground, merchantId, endpointId, 20_000);
  await sql`vacuum analyze webhook_messages`;
  await sql`vacuum analyze webhook_deliveries`;
  await noteSizes(ground, ['webhook_messages', 'webhook_deliveries'], note);
  await sql`truncate webhook_messages, webhook_deliveries`;
}

/** Right after a checkpoint the first change of a page logs the whole page; later changes log only themselves. */
async function noteLogVolume(bench: Bench, ground: Ground, service: Place, note: Note): Promise<void> {
  const { sql } = ground.database;
  const { settings } = bench;
  const create = (inFlight: number) => createSome(bench, ground, service, ground.callers, inFlight);
  await create(64);
  for (const inFlight of [1, 64]) {
    await sql`checkpoint`;
    const cold = await logBytes(ground, () => create(inFlight));
    const warm = await logBytes(ground, () => create(inFlight));
    note(
      `log bytes a create, ${inFlight} in flight`,
      `${warm.toFixed(0)}; ${cold.toFixed(0)} right after a checkpoint`,
      'pg_current_wal_lsn, without listeners',
    );
  }
  const pending = await storePending(sql, ground.callers, settings.reports, 'growth');
  await sql`checkpoint`;
  for (const [status, when] of [
    ['signed', 'right after a checkpoint'],
    ['broadcasted', 'later'],
  ] as const) {
    const bytes = await logBytes(ground, async () => {
      await callLeg(bench, service, reports(pending, status));
      return pending.length;
    });
    note(`log bytes a status report, ${when}`, bytes.toFixed(0), 'pg_current_wal_lsn');
  }
}

async function noteWaiting(bench: Bench, ground: Ground, service: Place, note: Note): Promise<void> {
  const { longPolls } = bench.settings;
  const requests = await waitingPolls(bench, ground);
  const waiting = startWaiting();
  const before = memoryBytesOf(service.pid);
  const opened = await waiting.ask({ kind: 'open', port: service.port, requests });
  await sleep(2_000);
  const after = memoryBytesOf(service.pid);
  const how = `${opened.waiting} waiting calls on ${ground.callers.length} connections`;
  if (before !== undefined && after !== undefined)
    note(
      'memory of the service by one waiting long poll',
      `${((after - before) / longPolls / 1024).toFixed(1)} KiB`,
      `${how}: ${(before / 2 ** 20).toFixed(0)} → ${(after / 2 ** 20).toFixed(0)} MiB`,
    );
  const { cpuMs } = await watching([service.pid, bench.cluster.pid], () => sleep(REST_MS));
  const used = cpuMs.map((ms) => ((ms ?? 0) / REST_MS) * 100);
  note(
    'processor while they wait',
    `service ${used[0]?.toFixed(1)} %, PostgreSQL ${used[1]?.toFixed(1)} % of one core`,
    'a check of every poll every five seconds',
  );
  await waiting.ask({ kind: 'close' });
  await sleep(2_000);
  await waiting.ask({ kind: 'open', port: service.port, requests });
  await sleep(1_000);
  await noteWakeUp(bench, ground, service, waiting, note);
  await waiting.ask({ kind: 'close' });
  await waiting.end();
}

/** One report wakes everybody who polls that connection. */
async function noteWakeUp(
  bench: Bench,
  ground: Ground,
  service: Place,
  waiting: { ask(job: WaitingJob): Promise<WaitingResult> },
  note: Note,
): Promise<void> {
  const { longPolls } = bench.settings;
  const woken = Math.min(100, ground.callers.length, longPolls);
  const first = ground.callers.slice(0, woken);
  const answers =
    Math.floor(longPolls / ground.callers.length) * woken +
    Math.min(woken, longPolls % ground.callers.length);
  const pending = await storePending(ground.database.sql, first, woken, 'wake');
  const startedMs = Date.now();
  const leg = callLeg(bench, service, reports(pending, 'signed'), { inFlight: 1 });
  const { answeredAtMs } = await waiting.ask({ kind: 'await responses', count: answers });
  await leg;
  if (Math.min(...answeredAtMs) < startedMs) throw new Error('a poll returned before anything happened');
  const lastMs = Math.max(...answeredAtMs) - startedMs;
  note(
    `${woken} status reports in a row, ${answers} polls with a response`,
    `the last ${lastMs} ms after the first report was sent`,
    'one caller reports, all the others continue waiting',
  );
}

async function noteHousekeeping({ database }: Ground, note: Note): Promise<void> {
  const { sql } = database;
  await sql`select pg_stat_force_next_flush()`;
  await sleep(1_500);
  const rows = await sql<{ relname: string; updates: number; hot: number; dead: number; vacuums: number }[]>`
    select relname, n_tup_upd as updates, n_tup_hot_upd as hot, n_dead_tup as dead, autovacuum_count as vacuums
    from pg_stat_user_tables
    where relname in ('payment_requests', 'connection_heads', 'webhook_deliveries') and n_tup_upd > 0`;
  for (const row of rows)
    note(
      `${row.relname}: updates without touching an index`,
      `${((row.hot / row.updates) * 100).toFixed(0)} % of ${row.updates.toLocaleString('en')}`,
      `${row.dead.toLocaleString('en')} dead rows, ${row.vacuums} automatic vacuums`,
    );
}
