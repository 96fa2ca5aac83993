// Slow: partitions filled tables to read plans.
import { isPlainRun } from '@payassent/proof/database/layout';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/db/open.ts';
import { PARTITIONED_TABLES } from '../src/maintenance/partitions/cut.ts';
import { partitionTables } from '../src/maintenance/partitions/index.ts';

const PARTITIONS = 16;
/** More than the five after which PostgreSQL considers one plan for all parameters. */
const TIMES = 12;

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  const { request_id: sample } = await pendingRequest(service, stage);
  await succeed(report(service, stage, sample, { status: 'signed' }));
  await fillTables(sample);
  // A separate connection: its statistics are counted when it ends, and not in the middle of a test.
  const owner = openDatabase(service.database.target, { pool: 1 });
  await partitionTables(owner, PARTITIONS);
  await owner`analyze`;
  await owner.end();
  // Jobs read rows of every merchant, and would be counted too.
  await service.restart({ jobs: false });
});
afterAll(() => service.close());

const STORED = 20_000;
const OTHERS = 200;

/** Requests and events of other merchants: of tables with hardly a row the planner reads all. */
async function fillTables(sample: string): Promise<void> {
  await service.db`
    insert into payment_requests
    select copy.* from payment_requests r
      cross join generate_series(1, ${STORED}) n
      cross join lateral jsonb_populate_record(r, jsonb_build_object(
        'merchant_id', 'mer_' || n % ${OTHERS}, 'connection_id', 'con_' || n % ${OTHERS}, 'wallet_id', 'wal_' || n % ${OTHERS},
        'request_id', 'pr_' || n, 'idempotency_key', 'pr_' || n)) copy
    where r.request_id = ${sample}`;
  await service.db`
    insert into payment_request_events
    select copy.* from payment_request_events e
      cross join generate_series(1, ${STORED}) n
      cross join lateral jsonb_populate_record(e, jsonb_build_object(
        'merchant_id', 'mer_' || n % ${OTHERS}, 'connection_id', 'con_' || n % ${OTHERS}, 'sequence', n,
        'event_id', 'evt_' || n, 'request_id', 'pr_' || n)) copy
    where e.request_id = ${sample}`;
}

/** Partitions that were scanned, by table: a sequential scan counts as much as a probe of an index. */
async function visited(): Promise<Record<string, string[]>> {
  const rows = await service.db<{ name: string }[]>`
    select relname::text as name from pg_stat_user_tables
    where coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0 and relname ~ '_p[0-9]+$' order by relname`;
  return Object.fromEntries(
    PARTITIONED_TABLES.map((table) => [
      table,
      rows.map(({ name }) => name).filter((name) => name.startsWith(`${table}_p`)),
    ]),
  );
}

/** A connection reports what it did a second later at the earliest, with its next statement. */
async function visitsOf(work: () => Promise<unknown>): Promise<Record<string, string[]>> {
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await work();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await service.db`select pg_stat_reset()`;
  for (let n = 0; n < TIMES; n += 1) await work();
  await expect
    .poll(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1100));
      await work();
      return Object.values(await visited()).flat().length;
    })
    .toBeGreaterThan(0);
  return visited();
}

const key = 'the same key';
/** Not a wallet's list of everything, which has no merchant to name. */
const hot: Record<string, () => Promise<unknown>> = {
  create: () => pendingRequest(service, stage),
  'create again with the same key': () => succeed(postRequest(service, stage, {}, { idempotencyKey: key })),
  read: async () => {
    const { request_id: id } = await pendingRequest(service, stage);
    await succeed(service.call('GET', `/v1/payment-requests/${id}`, { bearer: stage.connectionToken }));
  },
  poll: () =>
    succeed(service.call('GET', '/v1/payment-requests/events?since=0', { bearer: stage.connectionToken })),
  report: async () => {
    const { request_id: id } = await pendingRequest(service, stage);
    await succeed(report(service, stage, id, { status: 'rejected' }));
  },
  "an agent's list": () =>
    succeed(service.call('GET', '/v1/payment-requests', { bearer: stage.connectionToken })),
};

// A database gets its partitions once, and is distributed or has them.
describe.runIf(isPlainRun)('with partitions, a statement reads that of its merchant and no other', () => {
  it.each(Object.entries(hot))('%s', async (_name, work) => {
    const found = await visitsOf(work);
    for (const [table, partitions] of Object.entries(found))
      expect(partitions.length, `${table}: ${partitions}`).toBeLessThanOrEqual(1);
  });
});
