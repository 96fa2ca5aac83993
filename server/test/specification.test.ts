import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { rawPublicKey, signAssertion, signText } from '@payassent/proof/people/agents';
import { activePolicy, createKey, pay } from '@payassent/proof/people/autonomy';
import {
  mailedToken,
  outcome,
  sessionOf,
  type TestSession,
  uniqueDomain,
} from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import { enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import type { Body, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * The public contract, call by call as a reader of it would send them, to a service with its default settings on a
 * loopback address. Nothing is sent that the contract does not name, except where it names no value.
 */
let service: TestService;
let session: TestSession;
let domainId: string;
let recipient: { recipient_id: string; version: number };
let versionId: string;
let agent: { agentId: string; kid: string; privateKey: Parameters<typeof signText>[1] };
let device: TestDevice;
let connection: { id: string; token: string };
beforeAll(async () => {
  service = await startService();
  device = await enrolDevice(service);
});
afterAll(() => service.close());

const SCOPES = [
  'payment.requests.create',
  'payment.requests.read',
  'transaction_contexts.create',
  'transaction_contexts.read',
];
const INTENT = { payment: { amount: '12.50' }, policy: { requires_user_approval: true } };

/** The body of a call whose response must have this status. */
async function expecting(status: number, method: string, path: string, sent: Sent = {}): Promise<Body> {
  const received = await service.call(method, path, sent);
  expect([received.status, received.body?.error], `${method} ${path}`).toEqual([status, undefined]);
  return received.body;
}
/** `device_id` and `token` in the body, or in the query of a GET. */
const wallet = (body?: object): Sent => {
  const { device_id, token } = device;
  return { device: { device_id, token }, ...(body ? { body } : {}) };
};
const merchant = (body?: object): Sent => ({ session, ...(body ? { body } : {}) });

describe('a merchant', () => {
  it('registers by a one-time link, creates an organization, and gets a session with a CSRF proof', async () => {
    const email = 'operator@shop.example';
    const token = await mailedToken(service, email);
    const verified = await expecting(200, 'POST', '/v1/merchant-accounts/email-verifications', {
      body: { token },
    });
    expect(verified).toMatchObject({ merchants: [], session_grant: expect.any(String) });
    const made = await expecting(201, 'POST', '/v1/merchants', {
      body: { session_grant: verified.session_grant, name: 'Shop' },
    });
    expect(made.merchant.status).toBe('pending');
    const opened = await service.call('POST', '/v1/merchant-sessions', {
      body: { next_grant: made.next_grant },
    });
    expect(opened.headers.getSetCookie()[0]).toContain('HttpOnly');
    session = sessionOf(opened);
    const { cookie } = session;
    const forged = await service.call('POST', '/v1/merchant-domains', {
      headers: { cookie },
      body: { domain: uniqueDomain() },
    });
    expect(forged.status).toBe(403);
  });

  it('is activated by its first domain proof', async () => {
    const domain = uniqueDomain();
    const registered = await expecting(201, 'POST', '/v1/merchant-domains', merchant({ domain }));
    domainId = registered.domain.domain_id;
    const unproved = await service.call('POST', `/v1/merchant-domains/${domainId}/verify`, merchant({}));
    expect(unproved.status).toBeGreaterThanOrEqual(400);
    const { dns } = registered.challenge;
    service.dns.set(dns.name, 'TXT', [dns.value]);
    const proved = await expecting(200, 'POST', `/v1/merchant-domains/${domainId}/verify`, merchant({}));
    expect(proved).toMatchObject({ domain: { status: 'verified' }, merchant: { status: 'active' } });
  });

  it('creates, verifies and activates a Recipient', async () => {
    const created = await expecting(
      201,
      'POST',
      '/v1/recipients',
      merchant({ name: 'Shop', network: 'stellar_testnet', asset: 'XLM', address: stellarAddress() }),
    );
    ({ recipient } = created);
    versionId = created.recipient_version.recipient_version_id;
    const path = `/v1/recipients/${recipient.recipient_id}`;
    const { version } = recipient;
    const { evidence } = await expecting(
      200,
      'POST',
      `${path}/verify`,
      merchant({ recipient_version_id: versionId, type: 'domain_proof', source_id: domainId, version }),
    );
    const { evidence_id, evidence_digest } = evidence;
    const activated = await expecting(
      200,
      'POST',
      `${path}/versions/${versionId}/activate`,
      merchant({ evidence_id, evidence_digest, version }),
    );
    expect(activated.recipient.active_version_id).toBe(versionId);
  });

  it('changes the active version of a Recipient with nothing but its session', async () => {
    const path = `/v1/recipients/${recipient.recipient_id}`;
    const { recipient: before } = await expecting(200, 'GET', path, merchant());
    const facts = { network: 'stellar_testnet', asset: 'XLM', address: stellarAddress() };
    const added = await expecting(
      201,
      'POST',
      `${path}/versions`,
      merchant({ ...facts, version: before.version }),
    );
    const { recipient_version_id } = added.recipient_version;
    const { version } = added.recipient;
    const { evidence } = await expecting(
      200,
      'POST',
      `${path}/verify`,
      merchant({ recipient_version_id, type: 'domain_proof', source_id: domainId, version }),
    );
    const { evidence_id, evidence_digest } = evidence;
    await expecting(
      200,
      'POST',
      `${path}/versions/${recipient_version_id}/activate`,
      merchant({ evidence_id, evidence_digest, version }),
    );
    versionId = recipient_version_id;
  });

  it('registers an Agent whose key it proves, and activates it', async () => {
    const made = await expecting(
      201,
      'POST',
      '/v1/agents',
      merchant({ name: 'Agent', runtime: 'node', environment: 'test', allowed_scopes: SCOPES }),
    );
    const { agent_id: agentId, version } = made.agent;
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const kid = 'key-1';
    const path = `/v1/agents/${agentId}/credentials`;
    const registered = await expecting(
      201,
      'POST',
      path,
      merchant({
        kid,
        alg: 'Ed25519',
        public_key: rawPublicKey(publicKey),
        not_before: new Date(Date.now() - 60_000).toISOString(),
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    );
    const challenge: string = registered.proof_challenge;
    await expecting(
      200,
      'POST',
      `${path}/${registered.credential.credential_id}/activate`,
      merchant({ challenge, signature: signText(challenge, privateKey) }),
    );
    const { agent: active } = await expecting(
      200,
      'PATCH',
      `/v1/agents/${agentId}`,
      merchant({ status: 'active', version }),
    );
    expect(active).toMatchObject({ status: 'active', require_proof: false });
    agent = { agentId, kid, privateKey };
  });

  it('creates a Webhook endpoint whose secret is shown once, and lists deliveries', async () => {
    const made = await expecting(
      201,
      'POST',
      '/v1/webhook-endpoints',
      merchant({ url: 'http://127.0.0.1:9/hook' }),
    );
    expect(made.secret).toMatch(/^whsec_/);
    const read = await service.call(
      'GET',
      `/v1/webhook-endpoints/${made.webhook_endpoint.webhook_endpoint_id}`,
      merchant(),
    );
    expect(read.text).not.toContain('whsec_');
    expect(await expecting(200, 'GET', '/v1/webhook-deliveries', merchant())).toMatchObject({
      webhook_deliveries: [],
    });
  });
});

const agentToken = async (): Promise<string> => {
  const assertion = signAssertion(service, agent);
  return (await expecting(200, 'POST', '/v1/agent-auth/token', { body: { assertion } })).agent_token;
};

describe('an Agent', () => {
  it('claims a Connect Key, and exchanges its claim token only after the wallet has approved', async () => {
    const { connect_key } = await expecting(201, 'POST', '/v1/connect-keys', wallet());
    const claimed = await expecting(201, 'POST', '/v1/connect-invitations/claim', {
      bearer: await agentToken(),
      body: { connect_key, requested_scopes: SCOPES },
    });
    const path = `/v1/connect-invitations/${claimed.connect_invitation.connect_invitation_id}`;
    const bearer: string = claimed.claim_token;
    await expecting(200, 'GET', path, { bearer });
    await expecting(200, 'GET', path, wallet());
    expect((await service.call('POST', `${path}/exchange`, { bearer })).status).toBeGreaterThanOrEqual(400);
    await expecting(200, 'POST', `${path}/approve`, wallet());
    const exchanged = await expecting(200, 'POST', `${path}/exchange`, { bearer });
    connection = { id: exchanged.connection.connection_id, token: exchanged.connection_token };
  });

  it('posts and reads the context of a transaction', async () => {
    const bearer = connection.token;
    const body = { transaction_id: 'order-1', title: 'Order 1' };
    await expecting(201, 'POST', '/v1/transaction-contexts', { bearer, body });
    const read = await expecting(200, 'GET', '/v1/transaction-contexts/order-1', { bearer });
    expect(read.transaction_context.transaction_id).toBe('order-1');
  });

  it('creates a Payment Request in both forms that are shown; it is pending, and its details are the version’s', async () => {
    const bearer = connection.token;
    const named = { recipient_id: recipient.recipient_id, recipient_version_id: versionId, ...INTENT };
    const create = (body: object, idempotencyKey?: string) =>
      expecting(201, 'POST', '/v1/payment-requests', {
        bearer,
        body,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
    const { payment_request: short } = await create(named, randomUUID());
    expect(short).toMatchObject({
      protocol: 'svc.payment_request.v1',
      connection_id: connection.id,
      status: 'pending',
      payee: { name: 'Shop', verified: true },
      payment: { rail: 'stellar_xlm', network: 'stellar_testnet', asset: 'XLM', amount: '12.50' },
      policy: { requires_user_approval: true },
    });
    const idempotency_key = randomUUID();
    const expires_at = new Date(Date.now() + 600_000).toISOString();
    const long = { ...named, expires_at, idempotency_key };
    const { payment_request: made } = await create(long);
    const again = await service.call('POST', '/v1/payment-requests', { bearer, body: long });
    expect(again.body.payment_request.request_id).toBe(made.request_id);
    const read = await expecting(200, 'GET', `/v1/payment-requests/${made.request_id}`, { bearer });
    expect(read.payment_request.status).toBe('pending');
    const own = { ...named, request_id: 'order-1', idempotency_key: randomUUID() };
    expect((await create(own)).payment_request.request_id).toBe('order-1');
  });

  it('cannot state payment details, nor override them in display and metadata', async () => {
    const bearer = connection.token;
    const body = { recipient_id: recipient.recipient_id, ...INTENT };
    for (const more of [
      { payment: { amount: '1', to: stellarAddress() } },
      { policy: { requires_user_approval: false } },
      { payment: { amount: '-1' } },
      { display: { address: stellarAddress() } },
      { metadata: { memo: '7' } },
      { merchant_id: 'mer_1' },
    ]) {
      const sent = { bearer, idempotencyKey: randomUUID(), body: { ...body, ...more } };
      const refused = await service.call('POST', '/v1/payment-requests', sent);
      expect(refused.status, JSON.stringify(more)).toBe(400);
      expect(refused.body).toMatchObject({
        ok: false,
        error: { code: expect.any(String), message: expect.any(String), request_id: expect.any(String) },
      });
    }
  });

  it('reads what the wallet reports by polling from the start', async () => {
    const bearer = connection.token;
    const path = '/v1/payment-requests/order-1/status';
    for (const status of ['signed', 'broadcasted', 'confirmed'])
      await expecting(200, 'POST', path, wallet({ status }));
    const polled = await expecting(200, 'GET', '/v1/payment-requests/events', {
      bearer,
      query: { since: 0 },
    });
    expect(polled.events.map(({ status }: Body) => status)).toEqual(['signed', 'broadcasted', 'confirmed']);
  });

  it('finds nothing that is not its own', async () => {
    const refused = await service.call('GET', '/v1/payment-requests/order-9', { bearer: connection.token });
    expect(outcome(refused)).toBe('404 resource_not_found');
  });
});

describe('a wallet', () => {
  it('approves a pairing session by its short code, and gets the connection token', async () => {
    const bearer = await agentToken();
    const body = { requested_scopes: SCOPES };
    const { pairing_session } = await expecting(201, 'POST', '/v1/pairing/sessions', { bearer, body });
    const { pairing_session_id, code } = pairing_session;
    expect(pairing_session.pairing_uri).toMatch(/^svc:\/\/pair\?/);
    const path = `/v1/pairing/sessions/${pairing_session_id}`;
    await expecting(200, 'GET', path, { bearer, query: { code } });
    const approved = await expecting(200, 'POST', `${path}/approve`, wallet({ code }));
    const sent = { recipient_id: recipient.recipient_id, ...INTENT };
    await expecting(201, 'POST', '/v1/payment-requests', {
      bearer: approved.connection_token,
      idempotencyKey: randomUUID(),
      body: sent,
    });
    const other = await expecting(201, 'POST', '/v1/pairing/sessions', { bearer, body });
    const { pairing_session_id: id, code: code2 } = other.pairing_session;
    await expecting(200, 'POST', `/v1/pairing/sessions/${id}/reject`, wallet({ code: code2 }));
  });

  it('lists, pauses, re-activates, rotates and revokes a connection', async () => {
    const { connections } = await expecting(200, 'GET', '/v1/connections', wallet());
    expect(connections.length).toBeGreaterThan(0);
    const path = `/v1/connections/${connection.id}`;
    for (const status of ['paused', 'active']) {
      const { connection: changed } = await expecting(200, 'PATCH', path, wallet({ status }));
      expect(changed.status).toBe(status);
    }
    const rotated = await expecting(200, 'POST', `${path}/rotate-token`, wallet());
    await expecting(200, 'GET', '/v1/payment-requests/events', { bearer: rotated.connection_token });
    await expecting(200, 'DELETE', path, wallet());
    const ended = await service.call('GET', '/v1/payment-requests/events', {
      bearer: rotated.connection_token,
    });
    expect(ended.status).toBe(401);
  });
});

describe('the second surface', () => {
  it('has its envelope, its policy of four thresholds, and refuses what exceeds one or is no test network', async () => {
    const bearer = await agentToken();
    const { connect_key } = await expecting(201, 'POST', '/v1/connect-keys', wallet());
    const claimed = await expecting(201, 'POST', '/v1/connect-invitations/claim', {
      bearer,
      body: { connect_key, requested_scopes: SCOPES },
    });
    const path = `/v1/connect-invitations/${claimed.connect_invitation.connect_invitation_id}`;
    await expecting(200, 'POST', `${path}/approve`, wallet());
    const exchanged = await expecting(200, 'POST', `${path}/exchange`, { bearer: claimed.claim_token });
    const { apiKey } = await createKey(service, session, agent.agentId);
    const world = {
      apiKey,
      device,
      connectionId: exchanged.connection.connection_id,
      payee: { recipientId: recipient.recipient_id },
    } as Parameters<typeof activePolicy>[1];
    await activePolicy(service, world);
    const made = await pay(service, world, '1');
    expect(made.body).toMatchObject({ success: true, data: { status: 'intent_created' } });
    const read = await service.call('GET', `/v1/agent-payments/${made.body.data.id}`, { apiKey });
    expect(read.body).toEqual({
      success: true,
      data: expect.objectContaining({ id: made.body.data.id, status: 'intent_created' }),
      request_id: expect.any(String),
      timestamp: expect.stringMatching(/Z$/),
    });
    const above = await pay(service, world, '11');
    expect(above.body).toMatchObject({
      success: false,
      error: { code: 'HC_NC_5_HITL_REQUIRED', details: { triggered_thresholds: ['single_tx_limit'] } },
    });
    const mainnet = await pay(service, world, '1', { network: 'stellar_public' });
    expect(outcome(mainnet)).toBe('409 phase_0_mainnet_disabled');
    const differing = await pay(
      service,
      world,
      '1',
      { idempotency_key: 'a' },
      { apiKey, headers: { 'idempotency-key': 'b' } },
    );
    expect(differing.body.error.code).toBe('IDEMPOTENCY_KEY_MISMATCH');
  });
});

it('reports its health, and shows its metrics', async () => {
  await expecting(200, 'GET', '/health');
  expect((await service.call('GET', '/metrics')).text).toContain('# HELP');
  expect((await service.call('POST', '/v1/payment-intents', { body: {} })).status).toBe(404);
});
