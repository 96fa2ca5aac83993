// Slow: stores tens of thousands of rows to read plans.

import { isDistributedRun, isPlainRun } from '@payassent/proof/database/layout';
import { multiplyRequest } from '@payassent/proof/database/many';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { WEBHOOK_DELIVERY_STATUSES } from '@payassent/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliveriesQuery } from '../../features/webhooks/delivery-sql.ts';
import { findDuplicates } from '../create/duplicates.ts';
import { listQuery, type Owner } from './list-sql.ts';

/** A tenant with many rows of what is requested rarely, and few of what is requested often. */
const MANY = 20_000;
const FEW = 5;
const LIMIT = 50;

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  const template = await pendingRequest(service, stage);
  const copies = { connection_id: template.connection_id, request_id: template.request_id };
  const { db } = service;
  const final = (status: string) => ({ status, state_version: 2 });
  await multiplyRequest(db, copies, MANY, final('confirmed'));
  for (const status of ['signed', 'broadcasted', 'failed', 'expired', 'rejected']) {
    const other = await pendingRequest(service, stage);
    await multiplyRequest(db, other, FEW, final(status));
  }
  const waiting = await pendingRequest(service, stage);
  await multiplyRequest(db, waiting, MANY);
  await db`analyze payment_requests`;
});
afterAll(() => service.close());

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** How many rows of a table a statement has read. */
function rowsRead(plan: Plan, table: string): number {
  const own =
    plan['Relation Name'] === table
      ? plan['Actual Loops'] *
        (plan['Actual Rows'] +
          (plan['Rows Removed by Filter'] ?? 0) +
          (plan['Rows Removed by Index Recheck'] ?? 0))
      : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, table), own);
}

async function explain(query: ReturnType<typeof listQuery>, table: string): Promise<number> {
  const [row] = await service.db`explain (analyze, format json) ${query}`;
  return rowsRead(row?.['QUERY PLAN'][0].Plan, table);
}

const owners = (): Owner[] => [
  { kind: 'merchant', merchantId: stage.merchant.merchantId },
  { kind: 'wallet', walletId: stage.device.walletId },
  { kind: 'connection', merchantId: stage.merchant.merchantId, connectionId: stage.connectionId },
];

// Of the statements on a single PostgreSQL.
it
  .skipIf(isDistributedRun)
  .each([
    'failed',
    'expired',
    'rejected',
    'signed',
    'broadcasted',
    'confirmed',
    'pending',
    undefined,
  ] as const)(
  'a list of status %s reads what it shows, no matter who requests it and however much there is besides',
  async (status) => {
    for (const owner of owners()) {
      const statuses = status && [status];
      const filter = { statuses, connectionId: undefined, recipientId: undefined, limit: LIMIT };
      const read = await explain(listQuery(service.db, owner, filter, new Date()), 'payment_requests');
      // One scan for each status, a page at most from each.
      expect(read, `${owner.kind} ${status}`).toBeLessThanOrEqual(
        status === undefined ? 7 * (LIMIT + 1) : LIMIT + 5,
      );
    }
  },
);

it.skipIf(isDistributedRun)('what a recall would end is read by its payee', async () => {
  const [merchant] = owners();
  if (!merchant) throw new Error('no merchant');
  const filter = {
    statuses: ['pending'],
    connectionId: undefined,
    recipientId: 'rcp_none',
    limit: LIMIT,
  } as const;
  expect(await explain(listQuery(service.db, merchant, filter, new Date()), 'payment_requests')).toBe(0);
});

// By the name of one table.
it.runIf(isPlainRun)(
  'a create reads the five newest possible duplicates, and passes over none that came to nothing',
  async () => {
    const { db } = service;
    const { merchantId } = stage.merchant;
    const same = { merchantId, connectionId: stage.connectionId, recipientId: stage.payee.recipientId };
    for (const [amount, rows] of [
      ['12.5', 5],
      ['12.51', 0],
    ] as const) {
      const choice = { supersedes: null, named: null };
      const query = findDuplicates(db, { ...same, amount }, choice, service.clock.now());
      expect(await explain(query as never, 'payment_requests')).toBe(rows);
    }
  },
);

it('deliveries by a rare status, and audit entries by type and target, are read by an index', async () => {
  const { db } = service;
  const { merchantId } = stage.merchant;
  await db`
    insert into webhook_deliveries (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status,
      run_at, created_at)
    select 'whd_' || n, 'whe_x', ${merchantId}, 'evt_' || n, 'payment_request.created', 1,
           case when n <= ${FEW} then 'failed' else 'delivered' end, now(), now() - interval '1 second' * n
    from generate_series(1, ${MANY}::int) n`;
  await db`
    insert into audit_events (audit_event_id, merchant_id, type, actor_kind, actor_id, target_type, target_id, details,
      request_id, occurred_at)
    select 'aud_' || n, ${merchantId}, 'connection.paused', 'system', 'x', 'connection', 'con_' || (n % 100), '{}', 'x', now()
    from generate_series(1, ${MANY}::int) n`;
  await db`analyze webhook_deliveries, audit_events`;
  for (const status of [...WEBHOOK_DELIVERY_STATUSES, undefined]) {
    const page = { limit: LIMIT + 1, after: undefined };
    const query = deliveriesQuery(db, merchantId, { endpointId: undefined, status }, page);
    const most = status === undefined ? 4 * (LIMIT + 1) : LIMIT + 1;
    expect(await explain(query, 'webhook_deliveries'), status).toBeLessThanOrEqual(most);
  }
  for (const condition of [db`type = 'agent.revoked'`, db`target_id = 'nothing'`]) {
    const query = db`
      select * from audit_events where merchant_id = ${merchantId} and ${condition}
      order by occurred_at desc, audit_event_id desc limit ${LIMIT}`;
    expect(await explain(query as never, 'audit_events')).toBe(0);
  }
});
