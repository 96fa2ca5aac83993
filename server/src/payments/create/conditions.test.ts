import { randomUUID } from 'node:crypto';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  service.clock.freeze();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const post = (overrides: Record<string, unknown>, idempotencyKey: string = randomUUID()) =>
  postRequest(service, stage, overrides, { idempotencyKey });
const statusOf = async (requestId: string) =>
  (await readRequest(service, stage, requestId)).body.payment_request;

describe('expires_in', () => {
  it('counts from now, and a retry later is the same intent', async () => {
    const key = randomUUID();
    const made = await post({ expires_in: 90 }, key);
    const { request_id, expires_at } = made.body.payment_request;
    expect(Date.parse(expires_at)).toBe(service.clock.now().getTime() + 90_000);
    service.clock.advance(5000);
    const again = await post({ expires_in: 90 }, key);
    expect([again.status, again.body.payment_request.request_id]).toEqual([200, request_id]);
    expect((await post({ expires_in: 91 }, key)).body.error.code).toBe('idempotency_key_reused');
  });

  it.each([59, 31_622_401, 60.5, '60'])('of %j is refused', async (expires_in) => {
    const { status, body } = await post({ expires_in });
    expect([status, body.error.field]).toEqual([400, 'expires_in']);
  });

  it('reaches from a minute to 366 days, and never goes with expires_at', async () => {
    expect((await post({ expires_in: 60 })).status).toBe(201);
    expect((await post({ expires_in: 31_622_400 })).status).toBe(201);
    const both = await post({ expires_in: 60, expires_at: '2099-01-01T00:00:00Z' });
    expect([both.status, both.body.error.field]).toEqual([400, 'expires_in']);
  });
});

describe('what a caller expects of the payee', () => {
  it('when it is true changes nothing, not even the intent', async () => {
    const key = randomUUID();
    const { recipientVersionId } = stage.payee;
    const right = { network: 'stellar_testnet', asset: 'XLM', decimals: 7 };
    const expectation = { ...right, recipient_version_id: recipientVersionId };
    const made = await post({ expect: expectation }, key);
    expect(made.status).toBe(201);
    expect(made.body.payment_request).not.toHaveProperty('expect');
    for (const other of [{}, { expect: { asset: 'USDC' } }]) {
      const again = await post(other, key);
      expect(again.body.payment_request).toEqual(made.body.payment_request);
    }
  });

  it.each([
    { asset: 'USDC' },
    { network: 'base_mainnet' },
    { decimals: 6 },
    { recipient_version_id: 'rcv_x' },
  ])('and is not so, %j, stores nothing and returns the actual value', async (wrong) => {
    const key = randomUUID();
    // Once before and once after the service has read the payee.
    for (const _turn of [1, 2]) {
      const refused = await post(
        { expect: { ...wrong, ...('asset' in wrong ? {} : { asset: 'XLM' }) } },
        key,
      );
      expect([refused.status, refused.body.error.code]).toEqual([409, 'expectation_mismatch']);
      const { expected, actual } = refused.body.error.details;
      expect(expected).toMatchObject(wrong);
      expect(Object.keys(actual)).toEqual(Object.keys(expected));
      expect(actual.asset).toBe('XLM');
    }
    expect((await post({ metadata: { other: true } }, key)).status).toBe(201);
  });

  it('is a closed object', async () => {
    const { status, body } = await post({ expect: { amount: '1' } });
    expect([status, body.error.field]).toEqual([400, 'expect.amount']);
  });
});

describe('a request in place of another', () => {
  it('withdraws that one in the same step', async () => {
    const old = await pendingRequest(service, stage);
    const key = randomUUID();
    const made = await post({ supersedes: old.request_id }, key);
    expect(made.status, made.text).toBe(201);
    expect(await statusOf(old.request_id)).toMatchObject({ status: 'expired', reason: 'superseded' });
    const events = (await allEvents(service, stage)).filter((event) => event.request_id === old.request_id);
    expect(events).toMatchObject([{ type: 'payment_request.expired', actor: 'agent', reason: 'superseded' }]);
    const again = await post({ supersedes: old.request_id }, key);
    expect([again.status, again.body.payment_request]).toEqual([200, made.body.payment_request]);
    const withdrawn = await service.call('POST', `/v1/payment-requests/${old.request_id}/withdraw`, {
      bearer: stage.connectionToken,
    });
    expect([withdrawn.status, withdrawn.body.event]).toEqual([200, null]);
  });

  it('is not stored when that one is decided, over or unknown', async () => {
    const decided = await pendingRequest(service, stage);
    await report(service, stage, decided.request_id, { status: 'rejected' });
    const over = await pendingRequest(service, stage, { expires_in: 60 });
    service.clock.advance(61_000);
    const replaced = await pendingRequest(service, stage);
    await post({ supersedes: replaced.request_id });
    const foreign = await pendingRequest(service, await paymentStage(service));
    for (const [supersedes, status, code] of [
      [decided.request_id, 409, 'invalid_status_transition'],
      [over.request_id, 409, 'payment_request_expired'],
      [replaced.request_id, 409, 'invalid_status_transition'],
      [foreign.request_id, 404, 'resource_not_found'],
      ['pr_nothing', 404, 'resource_not_found'],
    ]) {
      const key = randomUUID();
      const refused = await post({ supersedes }, key);
      expect([refused.status, refused.body.error.code]).toEqual([status, code]);
      expect((await post({}, key)).status).toBe(201);
    }
    const itself = await post({ supersedes: 'order-own', request_id: 'order-own' });
    expect(itself.status).toBe(404);
  });

  it('is stored once however often it is sent, and leaves the other alone when it is refused', async () => {
    const old = await pendingRequest(service, stage);
    const refused = await post({ supersedes: old.request_id, expect: { asset: 'USDC' } });
    expect(refused.status).toBe(409);
    expect((await statusOf(old.request_id)).status).toBe('pending');
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post({ supersedes: old.request_id }, key)),
    );
    expect(new Set(answers.map(({ body }) => body.payment_request?.request_id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('and a wallet that signs at the same moment have one winner', async () => {
    for (let round = 0; round < 10; round += 1) {
      const old = await pendingRequest(service, stage);
      const [made, signed] = await Promise.all([
        post({ supersedes: old.request_id }),
        report(service, stage, old.request_id, { status: 'signed' }),
      ]);
      expect([made.status, signed.status].sort()).toEqual(made.status === 201 ? [201, 409] : [200, 409]);
      expect((await statusOf(old.request_id)).status).toBe(made.status === 201 ? 'expired' : 'signed');
    }
  });
});
