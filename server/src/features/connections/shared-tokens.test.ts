import { randomUUID } from 'node:crypto';
import { signProof } from '@payassent/proof/people/agents';
import { activePolicy, autonomy, pay } from '@payassent/proof/people/autonomy';
import { evidenceOf } from '@payassent/proof/people/evidence';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentBody,
  paymentStage,
  pendingRequest,
} from '@payassent/proof/people/payments';
import { agentToken, deviceOf, useConnection } from '@payassent/proof/people/wallets';
import { activeEndpoint } from '@payassent/proof/people/webhooks';
import type { Body, Sent } from '@payassent/proof/service/client';
import { bearerHeader, mcpOverHttp, purchaseArguments } from '@payassent/proof/service/mcp';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { verifySep7 } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The customer rotates the token: the stage as the customer then has it. */
async function takeToken(stage: PaymentStage): Promise<PaymentStage> {
  const { connection_token } = (
    await succeed(
      service.call('POST', `/v1/connections/${stage.connectionId}/rotate-token`, {
        device: deviceOf(stage.device),
      }),
    )
  ).body;
  return { ...stage, connectionToken: connection_token };
}

const collect = async (stage: PaymentStage, connectionId = stage.connectionId) =>
  service.call('POST', `/v1/connections/${connectionId}/collect-token`, {
    bearer: await agentToken(service, stage.agent),
  });

const read = async (requestId: string, sent: Sent): Promise<Body> =>
  (await succeed(service.call('GET', `/v1/payment-requests/${requestId}`, sent))).body.payment_request;

describe('a request that the customer creates with a rotated token', () => {
  it('is marked for merchant and wallet, in the webhook and in the bundle, and not for the agent', async () => {
    const agents = await paymentStage(service);
    const receiver = await startHttpReceiver();
    onTestFinished(() => receiver.close());
    await activeEndpoint(service, agents.merchant, receiver, { event_types: ['payment_request.*'] });
    const own = await pendingRequest(service, agents);
    const customers = await takeToken(agents);
    const forged = await pendingRequest(service, customers, { payment: { amount: '0.0000001' } });
    expect(forged).not.toHaveProperty('created_with');
    const device = { device: deviceOf(agents.device) };
    const session = { session: agents.merchant.session };
    for (const [made, origin] of [
      [own, 'own_token'],
      [forged, 'shared_token'],
    ] as const) {
      const id = made.request_id;
      for (const sent of [device, session]) {
        expect((await read(id, sent)).created_with).toBe(origin);
        const { payment_requests } = (await succeed(service.call('GET', '/v1/payment-requests', sent))).body;
        expect(payment_requests.find((one: Body) => one.request_id === id).created_with).toBe(origin);
      }
      for (const sent of [device, session, { bearer: customers.connectionToken }])
        expect(JSON.parse(await evidenceOf(service, id, sent)).request.created_with).toBe(origin);
      expect(await read(id, { bearer: customers.connectionToken })).not.toHaveProperty('created_with');
      await vi.waitFor(() => {
        const bodies = receiver.requests.map(({ text }) => JSON.parse(text).data?.payment_request);
        expect(bodies.find((sent) => sent?.request_id === id)?.created_with).toBe(origin);
      });
    }
  });

  it('keeps what it was created with when the agent replays it, and cannot be changed in the database', async () => {
    const customers = await takeToken(await paymentStage(service));
    const sent = { idempotencyKey: randomUUID(), body: paymentBody(customers) };
    const create = (bearer: string) => service.call('POST', '/v1/payment-requests', { bearer, ...sent });
    const { request_id } = (await succeed(create(customers.connectionToken))).body.payment_request;
    const own = (await collect(customers)).body.connection_token;
    const replayed = await create(own);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const { created_with } = await read(request_id, { session: customers.merchant.session });
    expect(created_with).toBe('shared_token');
    const change = service.db`
      update payment_requests set created_with = 'proof' where request_id = ${request_id}`;
    await expect(change).rejects.toThrow(/permission denied|cannot be changed/);
  });

  it('has a proof only when the key of the agent has signed the call', async () => {
    const stage = await paymentStage(service);
    const customers = await takeToken(stage);
    const path = '/v1/payment-requests';
    // In the plain path of a create, and in the one that explains.
    for (const more of [{}, { if_duplicate: 'refuse', payment: { amount: '77' } }]) {
      const call = { method: 'POST', path, token: customers.connectionToken };
      const headers = signProof(service, stage.agent, call);
      const sent = { bearer: customers.connectionToken, idempotencyKey: randomUUID() };
      const proved = await succeed(
        service.call('POST', path, { ...sent, headers, body: paymentBody(stage, more) }),
      );
      const { request_id } = proved.body.payment_request;
      expect((await read(request_id, { session: stage.merchant.session })).created_with).toBe('proof');
    }
    const { request_id } = await pendingRequest(service, customers);
    expect((await read(request_id, { session: stage.merchant.session })).created_with).toBe('shared_token');
  });

  it('has no signed link; a request of the agent has one while its payee is verified', async () => {
    const named = await secondService(service, service.clock, { SVC_BASE_URL: 'https://pay.example' });
    const published = (await named.call('GET', '/.well-known/stellar.toml')).text;
    const [, key] = /^URI_REQUEST_SIGNING_KEY="(G[A-Z2-7]{55})"$/m.exec(published) ?? [];
    const stage = await paymentStage(service);
    const device = deviceOf(stage.device);
    const isSigned = async (requestId: string) => {
      const path = `/v1/payment-requests/${requestId}`;
      const { payment_uri } = (await succeed(named.call('GET', path, { device }))).body.payment_request;
      expect(payment_uri).toMatch(/^web\+stellar:pay/);
      return verifySep7(payment_uri, () => key) !== undefined;
    };
    const own = await pendingRequest(service, stage);
    const customers = await pendingRequest(service, await takeToken(stage));
    expect([await isSigned(own.request_id), await isSigned(customers.request_id)]).toEqual([true, false]);
    const reported = await named.call('POST', `/v1/payment-requests/${customers.request_id}/status`, {
      device,
      body: { status: 'rejected' },
    });
    expect(verifySep7(reported.body.payment_request.payment_uri, () => key)).toBeUndefined();
    await succeed(
      service.call('DELETE', `/v1/merchant-domains/${stage.merchant.domainId}`, {
        session: stage.merchant.session,
      }),
    );
    expect((await read(own.request_id, { device })).payee.verified).toBe(false);
    expect(await isSigned(own.request_id)).toBe(false);
  });
});

describe('a token that a wallet has seen', () => {
  it('shows no payee of the merchant, neither to the API nor to tools', async () => {
    const stage = await paymentStage(service);
    const { connectionToken: bearer } = await takeToken(stage);
    for (const path of ['/v1/payees', `/v1/payees/${stage.payee.recipientId}`]) {
      const refused = await service.call('GET', path, { bearer });
      expect(outcome(refused)).toBe('403 insufficient_scope');
      expect(refused.body.error.details).toEqual({ reason: 'shared_token' });
    }
    const client = await mcpOverHttp(service.url, '2026-07-28', bearerHeader(bearer));
    for (const [name, args] of [
      ['list_payees', {}],
      ['request_payment', purchaseArguments()],
    ] as const) {
      const refused = await client.callTool({ name, arguments: args });
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'insufficient_scope' } },
      });
      expect(JSON.stringify(refused)).not.toContain(stage.payee.address);
    }
    const own = (await collect(stage)).body.connection_token;
    expect(outcome(await service.call('GET', '/v1/payees', { bearer: own }))).toBe('200 ok');
  });

  it('is replaced when the agent collects its own, which completes a pairing', async () => {
    const stage = await paymentStage(service);
    const bearer = await agentToken(service, stage.agent);
    const requested_scopes = stage.agent.allowedScopes;
    const { pairing_session } = (
      await succeed(service.call('POST', '/v1/pairing/sessions', { bearer, body: { requested_scopes } }))
    ).body;
    const { pairing_session_id: id, code } = pairing_session;
    const approved = await succeed(
      service.call('POST', `/v1/pairing/sessions/${id}/approve`, {
        device: deviceOf(stage.device),
        body: { code },
      }),
    );
    const { connection, connection_token: shared } = approved.body;
    const collected = await succeed(collect(stage, connection.connection_id));
    const own = collected.body.connection_token;
    expect(own).not.toBe(shared);
    const poll = await succeed(
      service.call('GET', `/v1/pairing/sessions/${id}`, { bearer, query: { code } }),
    );
    expect(poll.body.pairing_session.status).toBe('completed');
    expect(poll.body.connection_token).toBeNull();
    expect(await useConnection(service, shared)).toBe('401 token_rotated');
    expect(await useConnection(service, own)).toBe('200 ok');
    expect((await collect(stage, connection.connection_id)).body.connection_token).toBe(own);
  });
});

it('agent payments name the credential that created them to merchants and wallets, and not to agents', async () => {
  const world = await autonomy(service);
  const { payee, connectionId: connection_id } = world;
  const body = {
    connection_id,
    network: 'stellar_testnet',
    asset: 'XLM',
    amount: '1',
    recipient_id: payee.recipientId,
  };
  const receiver = await startHttpReceiver();
  onTestFinished(() => receiver.close());
  await activeEndpoint(service, world.merchant, receiver, { event_types: ['agent_payment.*'] });
  const isSentWith = (id: string, origin: string) =>
    vi.waitFor(() => {
      const sent = receiver.requests.map(({ text }) => JSON.parse(text).data?.agent_payment);
      expect(sent.find((payment) => payment?.id === id)?.created_with).toBe(origin);
    });
  const made: [Sent, string][] = [
    [{ bearer: world.admin }, 'operator'],
    [{ session: world.merchant.session }, 'operator'],
    [{ device: deviceOf(world.device) }, 'wallet'],
  ];
  const seenBy = async (sent: Sent, id: string) =>
    (await succeed(service.call('GET', `/v1/agent-payments/${id}`, sent))).body.data.created_with;
  for (const [sent, origin] of made) {
    const idempotencyKey = randomUUID();
    const created = await succeed(
      service.call('POST', '/v1/agent-payments', { ...sent, body, idempotencyKey }),
    );
    const { id } = created.body.data;
    for (const reader of [{ bearer: world.admin }, { device: deviceOf(world.device) }])
      expect(await seenBy(reader, id)).toBe(origin);
    for (const reader of [{ apiKey: world.apiKey }, { bearer: world.connectionToken }])
      expect(await seenBy(reader, id)).toBeUndefined();
    await isSentWith(id, origin);
    for (const reader of [{ device: deviceOf(world.device) }, { bearer: world.connectionToken }]) {
      const bundle = await succeed(service.call('GET', `/v1/agent-payments/${id}/evidence`, reader));
      expect(JSON.parse(bundle.text).request.created_with).toBe(origin);
    }
  }
  await activePolicy(service, world);
  const { id } = (await succeed(pay(service, world, '1'))).body.data;
  expect(await seenBy({ bearer: world.admin }, id)).toBe('api_key');
  await isSentWith(id, 'api_key');
});

it('new agents require proofs under a public address, unless the host has switched that off', async () => {
  const stage = await paymentStage(service);
  const { cookie, csrf } = stage.merchant.session;
  const session = { cookie: cookie.replace('svc_session', '__Host-svc_session'), csrf };
  const body = {
    name: 'Agent',
    runtime: 'node',
    environment: 'test',
    allowed_scopes: ['payment.requests.read'],
  };
  const requiresProof = async (env: Record<string, string>) => {
    const named = await secondService(service, service.clock, {
      SVC_BASE_URL: 'https://pay.example',
      ...env,
    });
    const made = await succeed(named.call('POST', '/v1/agents', { session, body }));
    return made.body.agent.require_proof;
  };
  expect(await requiresProof({})).toBe(true);
  expect(await requiresProof({ SVC_REQUIRE_PROOF: 'never' })).toBe(false);
  const local = await succeed(service.call('POST', '/v1/agents', { session: stage.merchant.session, body }));
  expect(local.body.agent.require_proof).toBe(false);
});
