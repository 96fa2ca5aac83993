import { isDistributedRun } from '@payassent/proof/database/layout';
import { changeFinal, multiplyRequest } from '@payassent/proof/database/many';
import { autonomy, pay, report as reportPayment } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { newHash } from '@payassent/proof/people/settlements';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../lib/clock.ts';
import { figuresQuery } from './sql.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  // Midday: all of the test falls on one day, whenever it runs.
  service.clock.advance(DAY_MS - (service.clock.now().getTime() % DAY_MS) + DAY_MS / 2);
  service.clock.freeze();
});
afterAll(() => service.close());

const figuresOf = async (of: Pick<PaymentStage, 'merchant'>, query: Record<string, string> = {}) =>
  (
    await succeed(
      service.call('GET', '/v1/merchants/current/figures', { session: of.merchant.session, query }),
    )
  ).body.figures;

async function paid(of: PaymentStage, amount: string, settlement?: string): Promise<Body> {
  const request = await pendingRequest(service, of, { payment: { amount } });
  await succeed(report(service, of, request.request_id, { status: 'signed' }));
  await succeed(report(service, of, request.request_id, { status: 'broadcasted', tx_hash: newHash() }));
  await succeed(report(service, of, request.request_id, { status: 'confirmed' }));
  if (settlement) await saidByChain(of, 'payment_request', request.request_id, settlement);
  return request;
}

/** Writes what an observer writes after an observation. */
async function saidByChain(of: PaymentStage, kind: string, recordId: string, status: string): Promise<void> {
  await service.db`
    insert into settlements (merchant_id, connection_id, kind, record_id, status, checked_at, asked, agreed, differences)
    values (${of.merchant.merchantId}, ${of.connectionId}, ${kind}, ${recordId}, ${status}, now(), 1, 1, '[]')`;
}

/** As if it had been requested some days earlier; pinned details are final, so the guard is disabled. */
async function datedBack(request: Body, days: number): Promise<void> {
  await changeFinal(
    service.db,
    'payment_requests',
    `update %s set created_at = created_at - interval '${days} days' where request_id = '${request['request_id']}'`,
  );
}

const XLM = { network: 'stellar_testnet', asset: 'XLM' };

describe('figures', () => {
  it('never add reports of a wallet to the settlement, and are exact to the last digit', async () => {
    const own = await paymentStage(service);
    await paid(own, '0.1');
    await paid(own, '900719925474.0993');
    await paid(own, '3', 'unseen');
    await paid(own, '10.0000001', 'final');
    await paid(own, '20', 'final');
    await paid(own, '7', 'mismatch');
    await paid(own, '8', 'failed_on_chain');
    const { received } = await figuresOf(own);
    const sums = (sum: string) => ({ today: sum, week: sum, month: sum });
    expect(received).toEqual([
      { ...XLM, standing: 'final', ...sums('30.0000001') },
      { ...XLM, standing: 'reported', ...sums('900719925477.1993') },
      { ...XLM, standing: 'disputed', ...sums('15') },
    ]);
  });

  it('count today, seven and thirty days in the time zone of the reader, and nothing older', async () => {
    const own = await paymentStage(service);
    for (const [days, amount] of [
      [0, '1'],
      [1, '2'],
      [6, '4'],
      [7, '8'],
      [29, '16'],
      [30, '32'],
    ] as const)
      await datedBack(await paid(own, amount), days);
    expect((await figuresOf(own)).received).toEqual([
      { ...XLM, standing: 'reported', today: '1', week: '7', month: '31' },
    ]);
    // Where the day began thirteen hours ago, yesterday's midday is still not today.
    const today = new Date(service.clock.now().getTime() - 13 * 3_600_000).toISOString();
    const figures = await figuresOf(own, { today });
    expect([figures.today, figures.received[0].today]).toEqual([today, '1']);
    const bad = { session: own.merchant.session, query: { today: '2020-01-01T00:00:00Z' } };
    const refused = await service.call('GET', '/v1/merchants/current/figures', bad);
    expect([refused.status, refused.body.error.field]).toEqual([400, 'today']);
  });

  it('count what customers decided, how long it took them, and what waits', async () => {
    const own = await paymentStage(service);
    const decide = async (status: string, afterMs: number) => {
      const { request_id: id } = await pendingRequest(service, own, { expires_in: 7200 });
      service.clock.advance(afterMs);
      await succeed(report(service, own, id, { status }));
    };
    await decide('signed', 5_000);
    await decide('rejected', 9_000);
    await decide('signed', 60_000);
    await pendingRequest(service, own, { expires_in: 60 });
    await pendingRequest(service, own, { expires_in: 7200 });
    const counts = ({ approved, rejected, undecided, median_decision_ms, waiting }: Body) => ({
      approved,
      rejected,
      undecided,
      median_decision_ms,
      waiting,
    });
    const decided = { approved: 2, rejected: 1, median_decision_ms: 9_000 };
    expect(counts(await figuresOf(own))).toEqual({ ...decided, undecided: 0, waiting: 2 });
    service.clock.advance(61_000);
    expect(counts(await figuresOf(own))).toEqual({ ...decided, undecided: 1, waiting: 1 });
  });

  it('of one organization hold nothing of another, agent payments included', async () => {
    const world = await autonomy(service);
    const human = { initiated_by: 'human' };
    const payment = (await succeed(pay(service, world, '1.5', human, { bearer: world.admin }))).body.data;
    await succeed(reportPayment(service, world, payment.id, 'signed'));
    await succeed(reportPayment(service, world, payment.id, 'broadcasted', { tx_hash: newHash() }));
    await succeed(reportPayment(service, world, payment.id, 'confirmed'));
    const others = await Promise.all([paymentStage(service), paymentStage(service)]);
    await paid(others[0], '5');
    await pendingRequest(service, others[1]);
    const [first, second, third] = await Promise.all([world, ...others].map((of) => figuresOf(of)));
    expect(first.received.map((row: Body) => [row['standing'], row['today']])).toEqual([['reported', '1.5']]);
    expect(second.received.map((row: Body) => row['today'])).toEqual(['5']);
    expect([third.received, third.waiting, second.waiting, first.waiting]).toEqual([[], 1, 0, 0]);
    for (const sent of [{}, { bearer: world.connectionToken }, { bearer: world.admin }])
      expect((await service.call('GET', '/v1/merchants/current/figures', sent)).status).toBe(401);
  });

  // The plan of a single PostgreSQL.
  it.skipIf(isDistributedRun)(
    'read a bounded number of rows, and name the day since which they are complete',
    async () => {
      const own = await paymentStage(service);
      const request = await paid(own, '1');
      const pending = await pendingRequest(service, own);
      await multiplyRequest(
        service.db,
        { connection_id: own.connectionId, request_id: request['request_id'] },
        4_000,
      );
      await multiplyRequest(
        service.db,
        { connection_id: own.connectionId, request_id: pending['request_id'] },
        4_000,
      );
      await service.db`analyze payment_requests`;
      const now = service.clock.now();
      const back = (days: number) => new Date(now.getTime() - days * DAY_MS);
      const periods = { today: back(1), week: back(7), month: back(30) };
      const ask = (rows?: number) => figuresQuery(service.db, own.merchant.merchantId, periods, now, rows);
      const [all] = await service.db`${ask()}`;
      expect([all?.['complete_since'], all?.['received'][0].month]).toEqual([null, '4001']);
      const [cut] = await service.db`${ask(100)}`;
      expect(Number(cut?.['received'][0].month)).toBeLessThanOrEqual(100);
      expect(now.getTime() - cut?.['complete_since'].getTime()).toBeLessThan(200_000);
      const [plan] = await service.db`explain (analyze, format json) ${ask(100)}`;
      const asked = subplan(plan?.['QUERY PLAN'][0].Plan, 'CTE asked');
      // The merge holds one row of each status at a time.
      expect(rowsOf(asked)).toBeLessThanOrEqual(101 + 7);
    },
  );
});

interface Plan {
  'Subplan Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function subplan(plan: Plan, name: string): Plan {
  const all = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(all)];
  const found = all(plan).find((node) => node['Subplan Name'] === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

function rowsOf(plan: Plan): number {
  const own = plan['Relation Name']
    ? plan['Actual Loops'] * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0))
    : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}
