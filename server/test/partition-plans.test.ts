import { succeed } from '@payassent/test-kit/merchants';
import { type PaymentStage, paymentStage, pendingRequest, postRequest } from '@payassent/test-kit/payments';
import { startService, type TestService } from '@payassent/test-kit/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/db/open.ts';
import { partitionTables } from '../src/maintenance/partitions/index.ts';
import { PARTITIONED_TABLES } from '../src/maintenance/partitions/shape.ts';

const PARTITIONS = 16;
/** More than the five after which PostgreSQL considers one plan for all parameters. */
const TIMES = 12;

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  await pendingRequest(service, stage);
  // A connection of its own: what it did is counted when it ends, and not in the midst of a test.
  const owner = openDatabase(service.database.target, { pool: 1 });
  await partitionTables(owner, PARTITIONS);
  await owner.end();
  // Jobs look at every merchant, and would be counted too.
  await service.restart({ jobs: false });
});
afterAll(() => service.close());

/** Partitions that were looked into, by table: a sequential scan counts as much as a probe of an index. */
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
/** Not a report, whose update is planned over all of them, nor a wallet's list of everything: docs/GROWTH.md says so. */
const hot: Record<string, () => Promise<unknown>> = {
  create: () => pendingRequest(service, stage),
  'create again with the same key': () => succeed(postRequest(service, stage, {}, { idempotencyKey: key })),
  read: async () => {
    const { request_id: id } = await pendingRequest(service, stage);
    await succeed(service.call('GET', `/v1/payment-requests/${id}`, { bearer: stage.connectionToken }));
  },
  poll: () =>
    succeed(service.call('GET', '/v1/payment-requests/events?since=0', { bearer: stage.connectionToken })),
  "an agent's list": () =>
    succeed(service.call('GET', '/v1/payment-requests', { bearer: stage.connectionToken })),
};

describe('with partitions, a statement looks into that of its merchant and no other', () => {
  it.each(Object.entries(hot))('%s', async (_name, work) => {
    const found = await visitsOf(work);
    for (const [table, partitions] of Object.entries(found))
      expect(partitions.length, `${table}: ${partitions}`).toBeLessThanOrEqual(1);
  });
});
