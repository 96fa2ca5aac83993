import { afterAll, beforeAll, expect, it } from 'vitest';
import { succeed } from '../../../test/harness/merchants.ts';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
} from '../../../test/harness/payments.ts';
import { startService, type TestService } from '../../../test/harness/service.ts';
import { deviceOf } from '../../../test/harness/wallets.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

/** What the agent reads, after it has read it before, beside what the database writes for its merchant at this moment. */
async function readsOf(requestId: string) {
  const path = `/v1/payment-requests/${requestId}`;
  const agents = (await succeed(readRequest(service, stage, requestId))).body;
  const merchants = (await succeed(service.call('GET', path, { session: stage.merchant.session }))).body;
  expect(agents).toEqual(merchants);
  return agents.payment_request;
}

it('an agent that reads again and again sees every change of a record at once', async () => {
  const { request_id } = await pendingRequest(service, stage);
  const setStanding = (column: 'suspended_at' | 'retired_at', value: Date | null) => service.db`
    update recipient_versions set ${service.db(column)} = ${value}
    where recipient_version_id = ${stage.payee.recipientVersionId}`;
  const say = (body: object) => succeed(report(service, stage, request_id, { ...body }));
  const steps: [() => PromiseLike<unknown>, object][] = [
    [async () => undefined, { status: 'pending', payee: { verified: true, is_current: true } }],
    [() => setStanding('suspended_at', new Date()), { payee: { verified: false, is_current: false } }],
    [() => setStanding('suspended_at', null), { payee: { verified: true, is_current: true } }],
    [() => setStanding('retired_at', new Date()), { payee: { verified: true, is_current: false } }],
    [() => say({ status: 'signed' }), { status: 'signed', tx_hash: null }],
    [() => say({ status: 'signed', tx_hash: 'late' }), { status: 'signed', tx_hash: 'late' }],
    [() => setStanding('suspended_at', new Date()), { payee: { verified: true, is_current: false } }],
    [() => say({ status: 'broadcasted' }), { status: 'broadcasted', is_final: false }],
    [() => say({ status: 'confirmed' }), { status: 'confirmed', is_final: true }],
  ];
  for (const [change, expected] of steps) {
    await change();
    for (let turn = 0; turn < 3; turn += 1) expect(await readsOf(request_id)).toMatchObject(expected);
  }
  const path = `/v1/connections/${stage.connectionId}`;
  await succeed(service.call('DELETE', path, { device: deviceOf(stage.device) }));
  expect((await readRequest(service, stage, request_id)).status).toBe(401);
});
