import { waitingForLocks } from '@payassent/proof/database/many';
import { succeed } from '@payassent/proof/people/merchants';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect } from '@payassent/proof/people/wallets';
import { until } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../lib/keys.ts';
import { statementsOf } from '../../storage/index.ts';
import type { ReportOutcome, ReportRow } from './report-sql.ts';

let service: TestService;
let one: PaymentStage;
/** Another wallet of another merchant. */
let other: PaymentStage;
beforeAll(async () => {
  service = await startService();
  one = await paymentStage(service);
  other = await paymentStage(service);
  for (const stage of [one, other]) await decided(stage);
});
afterAll(() => service.close());

/** Gives its connection a counter, and uses its token. */
async function decided(stage: PaymentStage): Promise<void> {
  const { request_id } = await pendingRequest(service, stage);
  await succeed(report(service, stage, request_id, { status: 'rejected' }));
}

let events = 0;
function rowOf(stage: PaymentStage, requestId: string, overrides: Partial<ReportRow> = {}): ReportRow {
  events += 1;
  return {
    n: 0,
    token_hash: hashSecret(stage.device.token),
    device_id: undefined,
    request_id: requestId,
    connection_id: undefined,
    status: 'failed',
    moves: ['pending', 'signed', 'broadcasted'],
    tx_hashes: undefined,
    reason: undefined,
    reason_text: undefined,
    takeover: undefined,
    event_id: `evt_${String(events).padStart(26, '0')}`,
    at: service.clock.now(),
    decision: undefined,
    ...overrides,
  };
}

const share = (rows: readonly ReportRow[]) =>
  statementsOf(service.context.serviceDb).moveRequests(service.context.serviceDb, rows, 'pass over', []);
const word = (outcome: ReportOutcome) => (typeof outcome === 'object' ? 'moved' : outcome);
const statusOf = async (stage: PaymentStage, requestId: string) =>
  (await readRequest(service, stage, requestId)).body.payment_request.status;

describe('reports that share a statement', () => {
  it('each move their own request, and the events of a connection have no gap', async () => {
    const before = (await allEvents(service, one)).length;
    const stages = [one, other, one, other, one];
    const ids: string[] = [];
    for (const stage of stages) ids.push((await pendingRequest(service, stage)).request_id);
    const outcomes = await share(stages.map((stage, n) => rowOf(stage, ids[n] ?? '')));
    expect(
      outcomes.map((outcome) => typeof outcome === 'object' && JSON.parse(outcome.record).request_id),
    ).toEqual(ids);
    const own = (await allEvents(service, one)).slice(before);
    expect(own.map((event) => [event.sequence, event.request_id])).toEqual(
      [ids[0], ids[2], ids[4]].map((id, index) => [before + index + 1, id]),
    );
  });

  it("are judged one by one: another wallet's request, a revoked token and a wrong step change nothing", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await pendingRequest(service, one)).request_id);
    const [foreign = '', dead = '', wrong = '', right = ''] = ids;
    const outcomes = await share([
      rowOf(other, foreign),
      rowOf(one, dead, { token_hash: hashSecret('svc_dtk_none') }),
      rowOf(one, wrong, { status: 'confirmed', moves: ['broadcasted'] }),
      rowOf(one, right),
    ]);
    expect(outcomes.map(word)).toEqual(['nothing', 'nothing', 'nothing', 'moved']);
    for (const id of [foreign, dead, wrong]) expect(await statusOf(one, id)).toBe('pending');
  });

  it('move nothing by an id that two connections of the wallet have', async () => {
    const twin = { ...one, ...(await connect(service, one.agent, one.device)) };
    const request_id = 'pr_of_two';
    for (const stage of [one, twin]) await pendingRequest(service, stage, { request_id });
    expect((await share([rowOf(one, request_id)])).map(word)).toEqual(['nothing']);
    const named = rowOf(one, request_id, { connection_id: one.connectionId });
    expect((await share([named])).map(word)).toEqual(['moved']);
    expect(await statusOf(twin, request_id)).toBe('pending');
  });
});

describe.each([
  ['a request', 'select from payment_requests where merchant_id = $2 and request_id = $1 for update'],
  [
    'the counter of a connection',
    `select from connection_heads h
     where h.merchant_id = $2 and h.connection_id = (
       select connection_id from payment_requests where merchant_id = $2 and request_id = $1) for update`,
  ],
])('%s that another process holds', (_what, lock) => {
  // More than once: a statement that is not prepared yet has its connection to itself anyway.
  it.each([1, 2, 3])(
    'is waited for by its own report alone, also where connections are few (%i)',
    async () => {
      const [held, free] = [await pendingRequest(service, one), await pendingRequest(service, other)];
      const reported = await service.db.begin(async (tx) => {
        await tx.unsafe(lock, [held.request_id, one.merchant.merchantId]);
        const outcomes = await share([rowOf(one, held.request_id), rowOf(other, free.request_id)]);
        expect(outcomes.map(word)).toEqual(['held', 'moved']);
        const waiting = report(service, one, held.request_id, { status: 'failed' });
        await until(async () => (await waitingForLocks(service.db)) === 1);
        await Promise.all(
          Array.from({ length: 12 }, async () => {
            const { request_id } = await pendingRequest(service, other);
            await succeed(report(service, other, request_id, { status: 'failed' }));
          }),
        );
        return { waiting };
      });
      expect((await succeed(reported.waiting)).body.event).toMatchObject({ status: 'failed' });
    },
  );
});

it('a report that waits for a held request is not carried out once its call was given up', async () => {
  const held = await pendingRequest(service, one);
  await service.db.begin(async (tx) => {
    await tx`
      select from payment_requests
      where merchant_id = ${one.merchant.merchantId} and request_id = ${held.request_id} for update`;
    const { engine } = service.app.parts;
    const startedMs = performance.now();
    const given = engine.report(rowOf(one, held.request_id), performance.now() + 300);
    await expect(given).rejects.toMatchObject({ code: '55P03' });
    // Not when the database gives up the lock wait, which is later than the caller's error.
    expect(performance.now() - startedMs).toBeLessThan(5000);
    const late = rowOf(one, held.request_id);
    await expect(engine.report(late, performance.now() - 1)).rejects.toMatchObject({ code: 'unavailable' });
  });
  expect(await waitingForLocks(service.db)).toBe(0);
  expect(await statusOf(one, held.request_id)).toBe('pending');
});

it('the first report of a connection, which has no counter yet, is served like any other', async () => {
  const stage = await paymentStage(service);
  const ids = await Promise.all([pendingRequest(service, stage), pendingRequest(service, stage)]);
  const reports = await Promise.all(
    ids.map(({ request_id }) => succeed(report(service, stage, request_id, { status: 'failed' }))),
  );
  expect(reports.map(({ body }) => body.event.sequence).toSorted()).toEqual([1, 2]);
});

it('concurrent reports need fewer commits than there are reports, and none is left without its response', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 40; n += 1) ids.push((await pendingRequest(service, one)).request_id);
  const answered = await Promise.all(
    ids.map((id) => succeed(report(service, one, id, { status: 'failed' }))),
  );
  expect(answered.map(({ body }) => body.payment_request.request_id)).toEqual(ids);
  const [row] = await service.db<{ commits: number }[]>`
    select count(distinct xmin::text)::int as commits from payment_request_events
    where request_id = any(${ids})`;
  expect(row?.commits).toBeLessThan(ids.length);
});
