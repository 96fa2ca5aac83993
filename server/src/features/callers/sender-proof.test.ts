import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  type ProofOverrides,
  provedCredential,
  rawPublicKey,
  requireProof,
  signProof,
} from '@payassent/proof/people/agents';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentBody, paymentStage, report } from '@payassent/proof/people/payments';
import { agentToken, claim, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Sent } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeProofs } from './sender-proof.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  await requireProof(service, stage.merchant.session, stage.agent.agentId);
});
afterAll(() => service.close());

const EVENTS = '/v1/payment-requests/events';
const CREATE = '/v1/payment-requests';

interface Knock extends ProofOverrides {
  method?: string;
  path?: string;
  sent?: Sent;
  /** As sent before, or none. */
  headers?: Record<string, string>;
  at?: PaymentStage;
}

function knock({ method = 'GET', path = EVENTS, sent = {}, at = stage, ...overrides }: Knock = {}) {
  const token = at.connectionToken;
  const headers = overrides.headers ?? signProof(service, at.agent, { method, path, token }, overrides);
  return service.call(method, path, { bearer: token, headers, ...sent });
}

const created = () => ({ idempotencyKey: randomUUID(), body: paymentBody(stage) });

describe('an agent that requires proofs', () => {
  it('gets nothing done with its token alone, on any route, and everything with a proof', async () => {
    const { request_id } = (await succeed(knock({ method: 'POST', path: CREATE, sent: created() }))).body
      .payment_request;
    const routes: [string, string, Sent?][] = [
      ['GET', EVENTS],
      ['GET', `${CREATE}/${request_id}`],
      ['GET', CREATE],
      ['POST', CREATE, created()],
      ['POST', '/v1/transaction-contexts', { body: { title: 'Order' } }],
    ];
    for (const [method, path, sent] of routes) {
      const bare = await knock({ method, path, headers: {}, ...(sent ? { sent } : {}) });
      expect(outcome(bare), path).toBe('401 proof_required');
      expect(bare.headers.get('www-authenticate')).toMatch(/^DPoP algs="EdDSA/);
      const proved = await knock({ method, path, ...(sent ? { sent } : {}) });
      expect(proved.status, `${path}: ${proved.text}`).toBeLessThan(300);
    }
  });

  it('cannot be impersonated by the wallet that holds its token', async () => {
    const device = await enrolDevice(service);
    const bearer = await agentToken(service, stage.agent);
    const started = await succeed(
      service.call('POST', '/v1/pairing/sessions', {
        bearer,
        body: { requested_scopes: stage.agent.allowedScopes },
      }),
    );
    const { pairing_session_id, code } = started.body.pairing_session;
    const approved = await succeed(
      service.call('POST', `/v1/pairing/sessions/${pairing_session_id}/approve`, {
        device: deviceOf(device),
        body: { code },
      }),
    );
    const { connection_token: token, connection } = approved.body;
    const asWallet = (headers: Record<string, string>) =>
      service.call('POST', CREATE, { bearer: token, headers, ...created() });
    expect(outcome(await asWallet({}))).toBe('401 proof_required');
    // With an unrelated key, and with the agent's public key but not its private one.
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const own = { kty: 'OKP', crv: 'Ed25519', x: rawPublicKey(publicKey) };
    const call = { method: 'POST', path: CREATE, token };
    const forged = signProof(service, stage.agent, call, { privateKey, header: { jwk: own } });
    expect((await asWallet(forged)).body.error.details).toEqual({ reason: 'unknown_key' });
    const claimed = signProof(service, stage.agent, call, { privateKey });
    expect((await asWallet(claimed)).body.error.details).toEqual({ reason: 'signature' });
    expect(outcome(await asWallet(signProof(service, stage.agent, call)))).toBe('201 ok');
    // The agent's own token ends the one that the wallet has.
    await succeed(
      service.call('POST', `/v1/connections/${connection.connection_id}/collect-token`, { bearer }),
    );
    expect(outcome(await asWallet(signProof(service, stage.agent, call)))).toBe('401 token_rotated');
    const rows = await service.db`
      select from payment_requests where connection_id = ${connection.connection_id}`;
    expect(rows).toHaveLength(1);
  });

  it.each<[string, ProofOverrides, string]>([
    ['another token', { claims: { ath: 'x'.repeat(43) } }, 'token'],
    ['no token', { claims: { ath: undefined } }, 'malformed'],
    ['another method', { claims: { htm: 'POST' } }, 'method'],
    ['another path', { claims: { htu: 'http://127.0.0.1:1/v1/payment-requests/events' } }, 'url'],
    ['no jti', { claims: { jti: undefined } }, 'malformed'],
    ['a jti that is too long', { claims: { jti: 'x'.repeat(161) } }, 'malformed'],
    ['a fractional time', { claims: { iat: 1.5 } }, 'malformed'],
    ['another type', { header: { typ: 'JWT' } }, 'type'],
    ['no algorithm', { header: { alg: 'none' } }, 'type'],
    ['a critical extension', { header: { crit: ['b64'] } }, 'type'],
    ['no key', { header: { jwk: undefined } }, 'key'],
    ['a private key', { header: { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AA', d: 'AA' } } }, 'key'],
  ])('refuses a proof with %s', async (_, overrides, reason) => {
    const received = await knock(overrides);
    expect(outcome(received)).toBe('401 proof_invalid');
    expect(received.body.error.details.reason).toBe(reason);
    expect(received.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"');
  });

  it('takes a proof up to 60 seconds from its clock, either way', async () => {
    const now = Math.floor(service.clock.now().getTime() / 1000);
    const outcomes: string[] = [];
    for (const away of [-62, -59, 59, 62])
      outcomes.push(outcome(await knock({ claims: { iat: now + away } })));
    expect(outcomes).toEqual(['401 proof_invalid', '200 ok', '200 ok', '401 proof_invalid']);
  });

  it('compares the URL without its query, and loopback names as one', async () => {
    const { port } = new URL(service.url);
    const sent = { query: { since: 0 } };
    expect(outcome(await knock({ sent }))).toBe('200 ok');
    const at = (htu: string) => knock({ sent, claims: { htu } });
    expect(outcome(await at(`http://localhost:${port}${EVENTS}`))).toBe('200 ok');
    expect(outcome(await at(`HTTP://[::1]:${port}${EVENTS}`))).toBe('200 ok');
    expect(outcome(await at(`http://127.0.0.1:${port}${EVENTS}?since=0`))).toBe('401 proof_invalid');
    expect(outcome(await at(`https://127.0.0.1:${port}${EVENTS}`))).toBe('401 proof_invalid');
    expect(outcome(await at(`http://127.0.0.1:${port}${CREATE}`))).toBe('401 proof_invalid');
  });

  it('refuses two different proofs in one request, and takes the scheme DPoP as well as Bearer', async () => {
    const token = stage.connectionToken;
    const proof = () => signProof(service, stage.agent, { method: 'GET', path: EVENTS, token }).DPoP;
    const two = await knock({ headers: { DPoP: `${proof()}, ${proof()}` } });
    expect(outcome(two)).toBe('401 proof_invalid');
    const headers = { authorization: `DPoP ${token}`, DPoP: proof() };
    expect(outcome(await service.call('GET', EVENTS, { headers }))).toBe('200 ok');
    const device = { authorization: `DPoP ${stage.device.token}` };
    expect(outcome(await service.call('GET', '/v1/connections', { headers: device }))).toBe(
      '401 unauthenticated',
    );
  });

  it('takes a proof once, in whichever process and however many come at the same time', async () => {
    const other = await secondService(service, service.clock, { SVC_BASE_URL: service.url });
    const headers = signProof(service, stage.agent, {
      method: 'GET',
      path: EVENTS,
      token: stage.connectionToken,
    });
    const callers = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? service : other));
    const outcomes = await Promise.all(
      callers.map(async ({ call }) => {
        const received = await call('GET', EVENTS, { bearer: stage.connectionToken, headers });
        return received.body.error?.details.reason ?? 'ok';
      }),
    );
    expect(outcomes.toSorted()).toEqual(['ok', ...Array(11).fill('replayed')]);
  });

  it('deletes a proof only when its time alone refuses it', async () => {
    const { db, clock } = service;
    const known = async () => (await db`select from connection_proofs`).length;
    await succeed(knock());
    const before = await known();
    expect(before).toBeGreaterThan(0);
    const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
    await purgeProofs(db, inSeconds(-61), 500);
    expect(await known()).toBe(before);
    await purgeProofs(db, inSeconds(200), 500);
    expect(await known()).toBe(0);
  });

  it('works with any of its active keys, and with none that was revoked', async () => {
    const at = await paymentStage(service, { merchant: stage.merchant });
    const { session } = at.merchant;
    await requireProof(service, session, at.agent.agentId);
    const second = await provedCredential(service, session, at.agent.agentId, 'second');
    const withSecond = { at: { ...at, agent: { ...at.agent, privateKey: second.privateKey } } };
    expect(outcome(await knock({ at }))).toBe('200 ok');
    expect(outcome(await knock(withSecond))).toBe('200 ok');
    const path = `/v1/agents/${at.agent.agentId}/credentials/${second.credentialId}`;
    await succeed(service.call('DELETE', path, { session }));
    expect(outcome(await knock(withSecond))).toBe('401 proof_invalid');
    expect(outcome(await knock({ at }))).toBe('200 ok');
  });
});

describe('the switch', () => {
  it('acts on the next call and on polls that wait, and is in the record and the audit trail', async () => {
    const at = await paymentStage(service, { merchant: stage.merchant });
    const { session } = at.merchant;
    const { agentId } = at.agent;
    const read = async () => (await service.call('GET', `/v1/agents/${agentId}`, { session })).body.agent;
    expect((await read()).require_proof).toBe(false);
    expect(outcome(await knock({ at, headers: {} }))).toBe('200 ok');
    const waiting = knock({ at, headers: {}, sent: { query: { wait: 20 } } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await requireProof(service, session, agentId);
    expect(outcome(await waiting)).toBe('401 proof_required');
    expect((await read()).require_proof).toBe(true);
    await requireProof(service, session, agentId, false);
    expect(outcome(await knock({ at, headers: {} }))).toBe('200 ok');
    const trail = await service.call('GET', '/v1/audit-events', { session, query: { target_id: agentId } });
    const details = trail.body.audit_events
      .filter((event: { type: string }) => event.type === 'agent.updated')
      .map((event: { details: object }) => event.details);
    expect(details).toEqual([
      { require_proof: { from: true, to: false } },
      { require_proof: { from: false, to: true } },
    ]);
  });

  it('leaves API keys, wallets and agent tokens as they are', async () => {
    const { invitationId, claimToken } = await claim(service, stage.agent, stage.device);
    const path = `/v1/connect-invitations/${invitationId}`;
    expect(outcome(await service.call('GET', path, { bearer: claimToken }))).toBe('200 ok');
    const bearer = await agentToken(service, stage.agent);
    expect(outcome(await service.call('GET', '/v1/connections', { bearer }))).toBe('200 ok');
    const { agentId } = stage.agent;
    const { session } = stage.merchant;
    const key = await service.call('POST', '/v1/api-keys', {
      session,
      body: { agent_id: agentId, name: 'k' },
    });
    const apiKey = key.body.api_key;
    expect(outcome(await service.call('GET', '/v1/agent-payments', { apiKey }))).toBe('200 ok');
    const { payment_request } = (await knock({ method: 'POST', path: CREATE, sent: created() })).body;
    expect(outcome(await report(service, stage, payment_request.request_id, { status: 'rejected' }))).toBe(
      '200 ok',
    );
  });

  it('a proof that is sent is checked although none is required, on every route', async () => {
    const at = await paymentStage(service, { merchant: stage.merchant });
    const { privateKey } = generateKeyPairSync('ed25519');
    const routes: [string, string][] = [
      ['GET', EVENTS],
      ['GET', CREATE],
      ['POST', CREATE],
      ['GET', '/v1/connections/current'],
    ];
    for (const [method, path] of routes) {
      const sent = method === 'POST' ? { idempotencyKey: randomUUID(), body: paymentBody(at) } : {};
      const sender = { at, method, path, sent };
      expect(outcome(await knock({ ...sender, headers: {} })), path).toMatch(/^20[01] ok$/);
      expect(outcome(await knock({ ...sender, headers: { DPoP: 'nonsense' } }))).toBe('401 proof_invalid');
      const forged = await knock({ ...sender, privateKey });
      expect(forged.body.error.details).toEqual({ reason: 'signature' });
      const headers = signProof(service, at.agent, { method, path, token: at.connectionToken });
      expect(outcome(await knock({ ...sender, headers }))).toMatch(/^20[01] ok$/);
      expect((await knock({ ...sender, headers })).body.error.details).toEqual({ reason: 'replayed' });
    }
  });
});

it('signatures are checked only within a limit, which a wrong one counts against', async () => {
  const limited = await serviceForTest({ env: { SVC_RATE_LIMITS: 'proofs=2/min,reads=9/min' } });
  const at = await paymentStage(limited);
  await requireProof(limited, at.merchant.session, at.agent.agentId);
  const { privateKey } = generateKeyPairSync('ed25519');
  const call = { method: 'GET', path: CREATE, token: at.connectionToken };
  const outcomes: string[] = [];
  for (const overrides of [{ privateKey }, { privateKey }, {}]) {
    const headers = signProof(limited, at.agent, call, overrides);
    outcomes.push(outcome(await limited.call('GET', CREATE, { bearer: at.connectionToken, headers })));
  }
  expect(outcomes).toEqual(['401 proof_invalid', '401 proof_invalid', '429 rate_limited']);
});
