import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const CHECKED = ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z'];

/** What the agent reads on a second read, and what the database writes for its merchant now. */
async function readsOf(requestId: string) {
  const path = `/v1/payment-requests/${requestId}`;
  const agents = (await succeed(readRequest(service, stage, requestId))).body;
  const merchants = (await succeed(service.call('GET', path, { session: stage.merchant.session }))).body;
  // Only merchants and wallets see the creating credential.
  const { created_with, ...shown } = merchants.payment_request;
  expect(created_with).toBe('own_token');
  expect(agents).toEqual({ ...merchants, payment_request: shown });
  return agents.payment_request;
}

it('an agent that reads again and again sees every change of a record immediately', async () => {
  const { request_id } = await pendingRequest(service, stage);
  const setStanding = (column: 'suspended_at' | 'retired_at', value: Date | null) => service.db`
    update recipient_versions set ${service.db(column)} = ${value}
    where recipient_version_id = ${stage.payee.recipientVersionId}`;
  const say = (body: object) => succeed(report(service, stage, request_id, { ...body }));
  const settle = (status: string, at: number) => service.db`
    insert into settlements as s
      (merchant_id, connection_id, kind, record_id, status, checked_at, asked, agreed, differences)
    select merchant_id, connection_id, 'payment_request', request_id, ${status}, ${CHECKED[at] ?? ''}, 1, 1, '[]'
    from payment_requests where request_id = ${request_id}
    on conflict (merchant_id, connection_id, kind, record_id) do update
    set changes = s.changes + (s.status <> excluded.status)::int, status = excluded.status, checked_at = excluded.checked_at`;
  const steps: [() => PromiseLike<unknown>, object][] = [
    [async () => undefined, { status: 'pending', payee: { verified: true, is_current: true } }],
    [() => setStanding('suspended_at', new Date()), { payee: { verified: false, is_current: false } }],
    [() => setStanding('suspended_at', null), { payee: { verified: true, is_current: true } }],
    [() => setStanding('retired_at', new Date()), { payee: { verified: true, is_current: false } }],
    [() => say({ status: 'signed' }), { status: 'signed', tx_hash: null }],
    [() => say({ status: 'signed', tx_hash: 'late' }), { status: 'signed', tx_hash: 'late' }],
    [() => setStanding('suspended_at', new Date()), { payee: { verified: true, is_current: false } }],
    [() => settle('unseen', 0), { settlement: { state: 'unseen', checked_at: CHECKED[0] } }],
    [() => settle('unseen', 1), { settlement: { state: 'unseen', checked_at: CHECKED[1] } }],
    [() => settle('final', 1), { settlement: { state: 'final', checked_at: CHECKED[1] } }],
    [() => say({ status: 'broadcasted' }), { status: 'broadcasted', is_final: false }],
    [() => say({ status: 'confirmed' }), { status: 'confirmed', is_final: true }],
  ];
  for (const [change, expected] of steps) {
    await change();
    for (let turn = 0; turn < 3; turn += 1) expect(await readsOf(request_id)).toMatchObject(expected);
  }
});

it('an agent does not see a state again that a failover lost, when another of the same number has followed', async () => {
  const { request_id } = await pendingRequest(service, stage);
  await succeed(report(service, stage, request_id, { status: 'signed' }));
  expect(await readsOf(request_id)).toMatchObject({ status: 'signed', state_version: 2 });
  const later = new Date(service.clock.now().getTime() + 60_000);
  await service.db`
    update payment_requests set status = 'rejected', reason = 'user_rejected', updated_at = ${later}
    where request_id = ${request_id}`;
  expect(await readsOf(request_id)).toMatchObject({ status: 'rejected', state_version: 2 });
});

it('an agent reads nothing that it has read before once its connection is gone', async () => {
  const { request_id } = await pendingRequest(service, stage);
  await readsOf(request_id);
  const path = `/v1/connections/${stage.connectionId}`;
  await succeed(service.call('DELETE', path, { device: deviceOf(stage.device) }));
  expect((await readRequest(service, stage, request_id)).status).toBe(401);
});
