import { isPlainRun } from '@payassent/proof/database/layout';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertQuery } from '../../storage/postgres/requests.ts';
import type { CreateRow } from './create-sql.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  const template = await pendingRequest(service, stage);
  // A few times each: the planner uses averages for repeated statements.
  await service.db`
    insert into payment_requests
    select copy.* from payment_requests r
      cross join generate_series(1, 10000) n
      cross join lateral jsonb_populate_record(
        r, jsonb_build_object('listed_version', null, 'request_id', 'pr_' || n, 'idempotency_key', 'pr_' || n, 'amount', (1 + n % 400)::text)) copy
    where r.request_id = ${template.request_id}`;
  await service.db`analyze`;
});
afterAll(() => service.close());

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  Plans?: Plan[];
}

/** The nodes from the top down to the scan of an index. */
function wayTo(plan: Plan, index: string): string[] | undefined {
  if (plan['Index Name'] === index) return [plan['Node Type']];
  for (const child of plan.Plans ?? []) {
    const way = wayTo(child, index);
    if (way) return [plan['Node Type'], ...way];
  }
  return undefined;
}

// Of the statement on a single PostgreSQL, by the index of one table.
it.runIf(isPlainRun)(
  'a create takes possible duplicates in the order of their index, although most are repeated only a few times',
  async () => {
    const { db, clock } = service;
    const now = clock.now();
    const row: CreateRow = {
      n: 0,
      merchant_id: stage.merchant.merchantId,
      version: '00000000-0000-0000-0000-000000000000',
      connection_id: stage.connectionId,
      request_id: 'pr_plan',
      idempotency_key: null,
      intent_digest: '',
      transaction_id: undefined,
      recipient_id: stage.payee.recipientId,
      recipient_version_id: 'rcv_plan',
      amount: '12.5',
      memo: undefined,
      facts_digest: '',
      source_members: '',
      display: undefined,
      metadata: undefined,
      created_at: now,
      expires_at: now,
      event_id: 'evt_plan',
      created_with: 'own_token',
      is_counted: undefined,
      supersedes: undefined,
      refuses_duplicates: undefined,
      risk_members: undefined,
    };
    const query = insertQuery(db, [row], now, 'pass over', Number.POSITIVE_INFINITY);
    await db`set plan_cache_mode = force_generic_plan`;
    const [explained] = await db`explain (format json) ${query}`;
    const way = wayTo(explained?.['QUERY PLAN'][0].Plan, 'payment_requests_same_payment');
    expect(way?.slice(-3)).toEqual(['Aggregate', 'Limit', 'Index Scan']);
  },
);
