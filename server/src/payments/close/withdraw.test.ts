import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

function withdraw(requestId: string, bearer = stage.connectionToken) {
  return service.call('POST', `/v1/payment-requests/${requestId}/withdraw`, { bearer });
}

describe('an agent that takes a request back', () => {
  it('makes it expired by its own act, once', async () => {
    const { request_id } = await pendingRequest(service, stage);
    const first = await withdraw(request_id);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      payment_request: {
        request_id,
        status: 'expired',
        reason: 'withdrawn_by_agent',
        is_final: true,
        state_version: 2,
      },
      event: {
        type: 'payment_request.expired',
        actor: 'agent',
        reason: 'withdrawn_by_agent',
        previous_status: 'pending',
      },
    });
    const again = await withdraw(request_id);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ payment_request: first.body.payment_request, event: null });
    const events = await allEvents(service, stage);
    expect(events.filter((event: { request_id: string }) => event.request_id === request_id)).toEqual([
      first.body.event,
    ]);
  });

  it('leaves nothing to sign', async () => {
    const { request_id } = await pendingRequest(service, stage);
    await withdraw(request_id);
    const late = await report(service, stage, request_id, { status: 'signed' });
    expect([late.status, late.body.error.code]).toEqual([409, 'payment_request_expired']);
  });

  it('comes too late after a decision, and after the time is over', async () => {
    const decided = await pendingRequest(service, stage);
    await report(service, stage, decided.request_id, { status: 'signed' });
    const refused = await withdraw(decided.request_id);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'invalid_status_transition',
      details: { from: 'signed', to: 'expired', allowed: [] },
    });
    const overdue = await pendingRequest(service, stage, {
      expires_at: new Date(service.clock.now().getTime() + 61_000).toISOString(),
    });
    service.clock.advance(62_000);
    const late = await withdraw(overdue.request_id);
    expect([late.status, late.body.error.code]).toEqual([409, 'payment_request_expired']);
    const record = (await readRequest(service, stage, overdue.request_id)).body.payment_request;
    expect(record).toMatchObject({ status: 'expired', reason: null });
  });

  it('reaches only its own connection, and needs the scope that creates', async () => {
    const { request_id } = await pendingRequest(service, stage);
    const other = await paymentStage(service);
    expect((await withdraw(request_id, other.connectionToken)).status).toBe(404);
    const sibling = await connect(service, stage.agent, other.device);
    expect((await withdraw(request_id, sibling.connectionToken)).status).toBe(404);
    const reader = await connect(service, stage.agent, other.device, ['payment.requests.read']);
    expect((await withdraw(request_id, reader.connectionToken)).body.error.code).toBe('insufficient_scope');
    expect((await readRequest(service, stage, request_id)).body.payment_request.status).toBe('pending');
  });

  it('and a wallet that signs at the same moment have one winner', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { request_id } = await pendingRequest(service, stage);
      const [taken, signed] = await Promise.all([
        withdraw(request_id),
        report(service, stage, request_id, { status: 'signed' }),
      ]);
      const { status } = (await readRequest(service, stage, request_id)).body.payment_request;
      expect([taken.status, signed.status].sort()).toEqual([200, 409]);
      expect(status).toBe(taken.status === 200 ? 'expired' : 'signed');
    }
  });
});

describe('an agent that has requested too often', () => {
  it('can still withdraw what it requested, and disconnect', async () => {
    const limited = await serviceForTest({ env: { SVC_RATE_LIMITS: 'create=1/min' } });
    limited.clock.freeze();
    const own = await paymentStage(limited);
    const bearer = own.connectionToken;
    const { request_id } = await pendingRequest(limited, own);
    expect((await postRequest(limited, own)).status).toBe(429);
    const path = `/v1/payment-requests/${request_id}/withdraw`;
    expect((await limited.call('POST', path, { bearer })).status).toBe(200);
    expect((await limited.call('DELETE', '/v1/connections/current', { bearer })).status).toBe(200);
  });
});

describe('the history of one request', () => {
  it('is the same for agent, wallet and merchant, and no one else can read it', async () => {
    const { request_id, connection_id } = await pendingRequest(service, stage);
    const path = `/v1/payment-requests/${request_id}/events`;
    const asAgent = () => service.call('GET', path, { bearer: stage.connectionToken });
    expect((await asAgent()).body.events).toEqual([]);
    await report(service, stage, request_id, { status: 'signed' });
    await report(service, stage, request_id, { status: 'broadcasted', tx_hash: 'ab12' });
    const { events } = (await asAgent()).body;
    expect(events).toMatchObject([
      { status: 'signed', previous_status: 'pending', actor: 'wallet' },
      { status: 'broadcasted', previous_status: 'signed', tx_hash: 'ab12' },
    ]);
    const asWallet = await service.call('GET', path, { device: deviceOf(stage.device) });
    const asMerchant = await service.call('GET', `${path}?connection_id=${connection_id}`, {
      session: stage.merchant.session,
    });
    expect([asWallet.body.events, asMerchant.body.events]).toEqual([events, events]);
    const other = await paymentStage(service);
    for (const sent of [
      { bearer: other.connectionToken },
      { device: deviceOf(other.device) },
      { session: other.merchant.session },
    ])
      expect((await service.call('GET', path, sent)).status).toBe(404);
  });

  it('shows the end of a request that is not closed yet', async () => {
    const { request_id } = await pendingRequest(service, stage, {
      expires_at: new Date(service.clock.now().getTime() + 61_000).toISOString(),
    });
    service.clock.advance(62_000);
    const received = await service.call('GET', `/v1/payment-requests/${request_id}/events`, {
      bearer: stage.connectionToken,
    });
    expect(received.body.events).toMatchObject([{ status: 'expired', actor: 'system' }]);
  });
});

describe('an agent that ends its own connection', () => {
  it('is refused from then on, and what it had requested is rejected', async () => {
    const own = await paymentStage(service);
    const { request_id } = await pendingRequest(service, own);
    const ended = await service.call('DELETE', '/v1/connections/current', { bearer: own.connectionToken });
    expect(ended.status).toBe(200);
    expect(ended.body.connection).toMatchObject({ connection_id: own.connectionId, status: 'revoked' });
    const refused = await readRequest(service, own, request_id);
    expect([refused.status, refused.body.error.code]).toEqual([401, 'token_revoked']);
    const seen = await service.call('GET', `/v1/payment-requests/${request_id}`, {
      device: deviceOf(own.device),
    });
    expect(seen.body.payment_request).toMatchObject({ status: 'rejected', reason: 'connection_revoked' });
    const audit = await service.call('GET', '/v1/audit-events?type=connection.revoked', {
      session: own.merchant.session,
    });
    expect(audit.body.audit_events[0].actor).toEqual({ kind: 'agent', id: own.agent.agentId });
  });
});
