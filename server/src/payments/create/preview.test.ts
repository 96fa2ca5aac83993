import { randomUUID } from 'node:crypto';
import {
  type PaymentStage,
  paymentBody,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
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

const preview = (overrides: Record<string, unknown> = {}, bearer = stage.connectionToken) =>
  service.call('POST', '/v1/payment-requests/preview', { bearer, body: paymentBody(stage, overrides) });
const stored = async () => (await service.db`select count(*)::int as n from payment_requests`)[0]?.['n'];

describe('a preview', () => {
  it('shows what a create then pins, needs no key and stores nothing', async () => {
    const before = await stored();
    const wanted = { payment: { amount: '3.5' }, expires_in: 90 };
    const seen = await preview(wanted);
    expect(seen.status, seen.text).toBe(200);
    expect(await stored()).toBe(before);
    const made = await pendingRequest(service, stage, wanted);
    const { payment, payee, expires_at, facts_digest } = made;
    expect(seen.body.preview).toEqual({ payment, payee, expires_at, facts_digest });
  });

  it('lists duplicates and amounts that the network cannot carry', async () => {
    const { request_id } = await pendingRequest(service, stage, { payment: { amount: '4.5' } });
    const same = { payment: { amount: '4.50' } };
    expect((await preview(same)).body.preview.risk).toEqual({ possible_duplicate_of: [request_id] });
    const both = { possible_duplicate_of: [request_id], acknowledged_duplicate_of: request_id };
    const meant = await preview({ ...same, if_duplicate: 'refuse', duplicate_of: request_id });
    expect(meant.body.preview.risk).toEqual(both);
    expect((await preview({ payment: { amount: '922337203686' } })).body.preview.risk).toEqual({
      exceeds_network_maximum: true,
    });
  });

  it('refuses what a create refuses, in the same words', async () => {
    const old = await pendingRequest(service, stage, { payment: { amount: '5.5' } });
    const decided = await pendingRequest(service, stage, { payment: { amount: '5.6' } });
    await service.call('POST', `/v1/payment-requests/${decided.request_id}/withdraw`, {
      bearer: stage.connectionToken,
    });
    const idempotencyKey = randomUUID();
    await postRequest(service, stage, { payment: { amount: '5.7' } }, { idempotencyKey });
    for (const [status, body] of [
      [400, { surprise: 1, payment: { amount: '1e5', network: 'x' }, expires_at: '2000-01-01T00:00:00Z' }],
      [400, { payment: { amount: '0.12345678' } }],
      [422, { display: { note: 'Pay GAIPS25GUFY5WM5ZJB3P4PZOFAQ4JUYFOFDPUYRP7NHOWC447GTC2OPP' } }],
      [404, { recipient_id: 'rcp_nothing' }],
      [404, { supersedes: 'pr_nothing' }],
      [409, { supersedes: decided.request_id }],
      [409, { recipient_version_id: 'rcv_other' }],
      [409, { expect: { asset: 'USDC' } }],
      [409, { if_duplicate: 'refuse', payment: { amount: '5.5' } }],
      [422, { idempotency_key: idempotencyKey, payment: { amount: '5.8' } }],
    ] as const) {
      const refused = await preview(body);
      const create = await postRequest(service, stage, body, {
        idempotencyKey: 'idempotency_key' in body ? idempotencyKey : randomUUID(),
      });
      const { request_id: _preview, ...error } = refused.body.error;
      const { request_id: _create, ...expected } = create.body.error;
      expect([refused.status, error]).toEqual([status, expected]);
    }
    expect((await readRequest(service, stage, old.request_id)).body.payment_request.status).toBe('pending');
  });

  it('needs the scope that creates, and a connection that is not paused', async () => {
    const reader = await connect(service, stage.agent, stage.device, ['payment.requests.read']);
    expect((await preview({}, reader.connectionToken)).body.error.code).toBe('insufficient_scope');
    const pausing = await connect(service, stage.agent, stage.device);
    await service.call('PATCH', `/v1/connections/${pausing.connectionId}`, {
      device: deviceOf(stage.device),
      body: { status: 'paused' },
    });
    expect((await preview({}, pausing.connectionToken)).body.error.code).toBe('connection_paused');
  });
});
