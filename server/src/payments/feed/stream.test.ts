import { randomUUID } from 'node:crypto';
import { requireProof, signProof, usableAgent } from '@payassent/proof/people/agents';
import { succeed } from '@payassent/proof/people/merchants';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { openStream } from '@payassent/proof/service/event-stream';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const EVENTS = '/v1/payment-requests/events';
const PATIENCE = { timeout: 60_000, interval: 20 };

async function freshConnection(): Promise<PaymentStage> {
  return { ...stage, ...(await connect(service, stage.agent, stage.device)) };
}

async function causeEvent(own: PaymentStage): Promise<void> {
  const { request_id } = await pendingRequest(service, own);
  await succeed(report(service, own, request_id, { status: 'rejected' }));
}

const open = (own: PaymentStage, sent: Parameters<typeof openStream>[3] = {}) =>
  openStream(service.url, EVENTS, own.connectionToken, sent);

const idsOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

describe('a stream of events', () => {
  it('carries what is polled, what is there and what happens later, with the sequence as id', async () => {
    const own = await freshConnection();
    for (let turn = 0; turn < 3; turn += 1) await causeEvent(own);
    const stream = await open(own, { query: { limit: 2 } });
    expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ]);
    await stream.reached(3);
    await causeEvent(own);
    const messages = await stream.reached(4);
    expect(messages.map(({ data }) => data)).toEqual(await allEvents(service, own));
    expect(idsOf(messages)).toEqual(['1', '2', '3', '4']);
    for (const { event } of messages) expect(event).toBe('payment_request');
  });

  it('continues after Last-Event-ID, else after since', async () => {
    const own = await freshConnection();
    for (let turn = 0; turn < 4; turn += 1) await causeEvent(own);
    const bySince = await open(own, { query: { since: 2 } });
    expect(idsOf(await bySince.reached(2))).toEqual(['3', '4']);
    const byId = await open(own, { query: { since: 0 }, headers: { 'last-event-id': '3' } });
    expect(idsOf(await byId.reached(1))).toEqual(['4']);
  });

  it.each(['x', '-1', '01', '1.5', '1, 2', '1000000000000000'])(
    'is refused as JSON when it should continue after %s',
    async (place) => {
      for (const sent of [{ headers: { 'last-event-id': place } }, { query: { since: place } }]) {
        const { status, refusal } = await open(stage, sent);
        expect([status, refusal.error.code]).toEqual([400, 'invalid_cursor']);
      }
    },
  );

  it('is refused as JSON to a wrong token and without the scope; a caller that accepts JSON gets a page', async () => {
    const wrong = await openStream(service.url, EVENTS, 'svc_ct_wrong');
    expect([wrong.status, wrong.refusal.error.code]).toEqual([401, 'unauthenticated']);
    const narrow = await connect(service, stage.agent, stage.device, ['payment.requests.create']);
    const refused = await openStream(service.url, EVENTS, narrow.connectionToken);
    expect([refused.status, refused.refusal.error.code]).toEqual([403, 'insufficient_scope']);
    const both = await service.call('GET', EVENTS, {
      bearer: stage.connectionToken,
      headers: { accept: 'text/event-stream, application/json' },
    });
    expect(both.body.ok).toBe(true);
  });
});

describe('a stream ends with its token', () => {
  it.each<[string, (own: PaymentStage) => Promise<Received>]>([
    [
      'revoked by the wallet',
      (own) =>
        service.call('DELETE', `/v1/connections/${own.connectionId}`, { device: deviceOf(own.device) }),
    ],
    [
      'revoked by the merchant',
      (own) =>
        service.call('DELETE', `/v1/connections/${own.connectionId}`, { session: own.merchant.session }),
    ],
    [
      'rotated',
      (own) =>
        service.call('POST', `/v1/connections/${own.connectionId}/rotate-token`, {
          device: deviceOf(own.device),
        }),
    ],
  ])('%s', async (_, end) => {
    const own = await freshConnection();
    const stream = await open(own);
    await succeed(end(own));
    await stream.over();
  });

  it('when the agent is suspended, or its last credential revoked', async () => {
    const { merchant } = stage;
    const ownAgent = async () => {
      const agent = await usableAgent(service, merchant);
      return { ...stage, agent, ...(await connect(service, agent, stage.device)) };
    };
    const suspended = await ownAgent();
    const first = await open(suspended);
    const path = `/v1/agents/${suspended.agent.agentId}`;
    const body = { status: 'suspended', version: suspended.agent.version };
    await succeed(service.call('PATCH', path, { session: merchant.session, body }));
    await first.over();

    const revoked = await ownAgent();
    const second = await open(revoked);
    const { agentId, credentialId } = revoked.agent;
    await succeed(
      service.call('DELETE', `/v1/agents/${agentId}/credentials/${credentialId}`, {
        session: merchant.session,
      }),
    );
    await second.over();
  });

  it('of an agent that requires proofs: opened with a proof only, ended with the key that made it', async () => {
    const own = await paymentStage(service, { merchant: stage.merchant });
    const { session } = stage.merchant;
    await requireProof(service, session, own.agent.agentId);
    const bare = await open(own);
    expect([bare.status, bare.refusal.error.code]).toEqual([401, 'proof_required']);
    const prove = () =>
      signProof(service, own.agent, { method: 'GET', path: EVENTS, token: own.connectionToken });
    const proof = prove();
    const stream = await open(own, { headers: proof });
    expect(stream.status).toBe(200);
    const replayed = await open(own, { headers: proof });
    expect([replayed.status, replayed.refusal.error.code]).toEqual([401, 'proof_invalid']);
    const create = signProof(service, own.agent, {
      method: 'POST',
      path: '/v1/payment-requests',
      token: own.connectionToken,
    });
    const { request_id } = (
      await succeed(
        service.call('POST', '/v1/payment-requests', {
          bearer: own.connectionToken,
          headers: create,
          idempotencyKey: randomUUID(),
          body: {
            recipient_id: own.payee.recipientId,
            payment: { amount: '1' },
            policy: { requires_user_approval: true },
          },
        }),
      )
    ).body.payment_request;
    await succeed(report(service, own, request_id, { status: 'rejected' }));
    await stream.reached(1);
    const credential = `/v1/agents/${own.agent.agentId}/credentials/${own.agent.credentialId}`;
    await succeed(service.call('DELETE', credential, { session }));
    await stream.over();
  });

  it('when its agent begins to require proofs that it was opened without', async () => {
    const own = await paymentStage(service, { merchant: stage.merchant });
    const stream = await open(own);
    await requireProof(service, stage.merchant.session, own.agent.agentId);
    await stream.over();
  });
});

describe('streams', () => {
  it('are counted, limited for each connection, and leave nothing behind when the reader hangs up', async () => {
    const own = await freshConnection();
    const { waiters, streams: seats } = service.app.parts.engine;
    await expect.poll(() => seats.taken() + waiters.waiting(), PATIENCE).toBe(0);
    const streams = await Promise.all(Array.from({ length: 16 }, () => open(own)));
    const { text } = await service.call('GET', '/metrics');
    expect(text).toMatch(/^svc_event_streams 16$/m);
    expect(text).toMatch(/^svc_waiting_calls 16$/m);
    const refused = await open(own);
    expect([refused.status, refused.refusal.error.code]).toEqual([409, 'limit_reached']);
    expect((await open(await freshConnection())).status).toBe(200);
    streams[0]?.hangUp();
    await expect.poll(async () => (await open(own)).status, PATIENCE).toBe(200);
    expect((await pollRequests(service, own)).status).toBe(200);
  });

  it('end when the service stops, which waits for none of them', async () => {
    const own = await serviceForTest();
    const stream = await openStream(own.url, EVENTS, (await paymentStage(own)).connectionToken);
    // Left open and idle, the connection would delay the end until its own time-out.
    expect([stream.status, stream.headers.get('connection')]).toEqual([200, 'close']);
    await own.restart();
    await stream.over();
  });
});
