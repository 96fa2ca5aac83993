import { generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import {
  type AssertionOverrides,
  exchangeAssertion,
  provedCredential,
  rawPublicKey,
  signAssertion,
  type TestAgent,
  usableAgent,
} from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import type { Received } from '@payassent/proof/service/client';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { agentsFeature, authenticateAgent } from './index.ts';

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  agent = await usableAgent(service, merchant);
});
afterAll(() => service.close());
afterEach(() => service.clock.release());

const exchange = (assertion: unknown): Promise<Received> =>
  service.call('POST', '/v1/agent-auth/token', { body: { assertion } });
const exchangeOf = (who: TestAgent, overrides: AssertionOverrides = {}) =>
  exchange(signAssertion(service, who, overrides));
const patch = (who: TestAgent, status: string, version: number) =>
  service.call('PATCH', `/v1/agents/${who.agentId}`, {
    session: merchant.session,
    body: { status, version },
  });
const revokeKey = (who: TestAgent, credentialId = who.credentialId) =>
  service.call('DELETE', `/v1/agents/${who.agentId}/credentials/${credentialId}`, {
    session: merchant.session,
  });

/** Calls the authenticator itself, which every route with an agent token goes through. */
async function judge(token: string): Promise<unknown> {
  const presented = { kind: 'agent' as const, token, tokenHash: hashSecret(token) };
  try {
    return await authenticateAgent(service.context, presented, service.clock.now());
  } catch (error) {
    if (error instanceof AppError) return [error.httpStatus, error.code];
    throw error;
  }
}

describe('exchanging an assertion', () => {
  it('gives an opaque token for ten minutes with the allowed scopes', async () => {
    const received = await exchangeOf(agent);
    expect(received.status).toBe(200);
    expect(received.body).toEqual({
      ok: true,
      agent_token: expect.stringMatching(/^svc_at_[0-9A-Za-z]{49}$/),
      token_type: 'Bearer',
      expires_in: 600,
      scopes: agent.allowedScopes,
    });
    expect(await judge(received.body.agent_token)).toEqual({
      kind: 'agent',
      merchantId: merchant.merchantId,
      agentId: agent.agentId,
      credentialId: agent.credentialId,
      scopes: agent.allowedScopes,
    });
    const stored = await service.db`select row_to_json(t)::text as text from agent_tokens t`;
    expect(JSON.stringify(stored)).not.toContain(received.body.agent_token);
  });

  it.each([
    ['the base URL', () => service.url],
    ['the base URL with a slash', () => `${service.url}/`],
    ['the token URL', () => `${service.url}/v1/agent-auth/token`],
    ['localhost', () => service.url.replace('127.0.0.1', 'localhost')],
    ['[::1] and the token path', () => `${service.url.replace('127.0.0.1', '[::1]')}/v1/agent-auth/token`],
  ])('accepts %s as audience', async (_, aud) => {
    expect((await exchangeOf(agent, { claims: { aud: aud() } })).status).toBe(200);
  });

  it.each([
    ['alg Ed25519', { alg: 'Ed25519' }],
    ['typ JWT', { typ: 'JWT' }],
    ['no typ', { typ: undefined }],
  ])('accepts %s', async (_, header) => {
    expect((await exchangeOf(agent, { header })).status).toBe(200);
  });

  it.each([
    ['missing', {}, 'required'],
    ['null', { assertion: null }, 'invalid_type'],
    ['a number', { assertion: 5 }, 'invalid_type'],
  ])('an assertion that is %s is 400', async (_, body, code) => {
    const received = await service.call('POST', '/v1/agent-auth/token', { body });
    expect(received.status).toBe(400);
    expect(received.body.error.issues).toMatchObject([{ field: 'assertion', code }]);
  });
});

const seconds = () => Math.floor(service.clock.now().getTime() / 1000);

describe('clock and replay', () => {
  it.each([
    ['iat 60 s ahead', 60, 120, 200],
    ['iat 61 s ahead', 61, 120, 'assertion_clock_skew'],
    ['exp 60 s ago', -180, 120, 200],
    ['exp 61 s ago', -181, 120, 'assertion_clock_skew'],
  ])('%s', async (_, iatOffset, life, outcome) => {
    service.clock.freeze(new Date(seconds() * 1000));
    const iat = seconds() + iatOffset;
    const received = await exchangeOf(agent, { claims: { iat, exp: iat + life } });
    expect(received.body.error?.code ?? received.status).toBe(outcome);
    if (outcome !== 200)
      expect(received.body.error.details).toEqual({ server_time: service.clock.now().toISOString() });
  });

  it('a jti is used once until its assertion can no longer be valid', async () => {
    service.clock.freeze(new Date(seconds() * 1000));
    const claims = { jti: 'j-life', iat: seconds(), exp: seconds() + 30 };
    expect((await exchangeOf(agent, { claims })).status).toBe(200);
    expect((await exchangeOf(agent, { claims })).body.error.code).toBe('assertion_replayed');
    service.clock.advance(90_000);
    expect((await exchangeOf(agent, { claims })).body.error.code).toBe('assertion_replayed');
    service.clock.advance(1);
    expect((await exchangeOf(agent, { claims })).body.error.code).toBe('assertion_clock_skew');
    const fresh = { jti: 'j-life', iat: seconds(), exp: seconds() + 30 };
    expect((await exchangeOf(agent, { claims: fresh })).status).toBe(200);
    service.clock.advance(-90_001);
  });

  it('a refusal after the signature frees the jti', async () => {
    const waiting = await usableAgent(service, merchant, { status: 'pending' });
    const assertion = signAssertion(service, waiting);
    expect((await exchange(assertion)).body.error.code).toBe('agent_not_active');
    await patch(waiting, 'active', waiting.version);
    expect((await exchange(assertion)).status).toBe(200);
  });

  it('a failure while the token is written frees the jti', async () => {
    const assertion = signAssertion(service, agent);
    await service.db`alter table agent_tokens rename to agent_tokens_away`;
    const failed = await exchange(assertion);
    await service.db`alter table agent_tokens_away rename to agent_tokens`;
    expect(failed.status).toBe(500);
    expect((await exchange(assertion)).status).toBe(200);
  });

  it('two credentials of one agent may use the same jti', async () => {
    const second = {
      ...agent,
      kid: 'second',
      ...(await provedCredential(service, merchant.session, agent.agentId, 'second')),
    };
    const claims = { jti: 'shared' };
    expect((await exchangeOf(agent, { claims })).status).toBe(200);
    expect((await exchangeOf(second, { claims })).status).toBe(200);
  });
});

describe('the status of credential and agent', () => {
  it('decides about exchange and token, the credential before the agent', async () => {
    const own = await usableAgent(service, merchant);
    const token = await exchangeAssertion(service, own);
    const states: unknown[] = [];
    const look = async (label: string) => {
      const received = await exchangeOf(own);
      const verdict = await judge(token);
      states.push([
        label,
        received.body.error?.code ?? received.status,
        Array.isArray(verdict) ? verdict[1] : 'valid',
      ]);
    };
    await look('active');
    await patch(own, 'suspended', 2);
    await look('suspended');
    await patch(own, 'active', 3);
    await look('resumed');
    await patch(own, 'suspended', 4);
    await revokeKey(own);
    await look('suspended and key revoked');
    await patch(own, 'active', 5);
    await look('key revoked');
    await provedCredential(service, merchant.session, own.agentId, 'another');
    await look('another key proved');
    expect(states).toEqual([
      ['active', 200, 'valid'],
      ['suspended', 'agent_not_active', 'agent_not_active'],
      ['resumed', 200, 'valid'],
      ['suspended and key revoked', 'credential_not_active', 'token_revoked'],
      ['key revoked', 'credential_not_active', 'token_revoked'],
      ['another key proved', 'credential_not_active', 'token_revoked'],
    ]);
  });

  it('a revoked agent: exchange credential_not_active, token revoked, before any background work', async () => {
    const own = await usableAgent(service, merchant);
    const token = await exchangeAssertion(service, own);
    // Only the row, as if the job had not reached the credentials yet.
    await service.db`update agents set status = 'revoked' where agent_id = ${own.agentId}`;
    expect((await exchangeOf(own)).body.error.code).toBe('credential_not_active');
    expect(await judge(token)).toEqual([401, 'token_revoked']);
  });

  it('an unproved credential is not active, and only the holder of its key learns that', async () => {
    const own = await usableAgent(service, merchant);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const body = { kid: 'unproved', alg: 'Ed25519', public_key: rawPublicKey(publicKey) };
    await service.call('POST', `/v1/agents/${own.agentId}/credentials`, { session: merchant.session, body });
    const holder = await exchange(signAssertion(service, { ...own, kid: 'unproved', privateKey }));
    expect(holder.body.error.code).toBe('credential_not_active');
    const guess = await exchange(signAssertion(service, { ...own, kid: 'unproved' }));
    expect(guess.body.error.code).toBe('invalid_assertion');
  });

  it('the dates of a credential hold to the millisecond on both sides', async () => {
    service.clock.freeze();
    const start = service.clock.now().getTime();
    const own = await usableAgent(service, merchant, {
      not_before: new Date(start + 10_000).toISOString(),
      expires_at: new Date(start + 20_000).toISOString(),
    });
    const outcomes: unknown[] = [];
    let token = '';
    for (const offset of [9_999, 10_000, 20_000, 20_001]) {
      service.clock.set(new Date(start + offset));
      const received = await exchangeOf(own);
      token = received.body.agent_token ?? token;
      outcomes.push(received.body.error?.code ?? received.status);
    }
    expect(outcomes).toEqual(['credential_not_active', 200, 200, 'credential_not_active']);
    expect(await judge(token)).toEqual([401, 'token_revoked']);
    service.clock.set(new Date(start));
  });
});

describe('the token', () => {
  it('lives ten minutes to the millisecond', async () => {
    service.clock.freeze();
    const token = await exchangeAssertion(service, agent);
    service.clock.advance(600_000);
    expect(await judge(token)).toMatchObject({ agentId: agent.agentId });
    service.clock.advance(1);
    expect(await judge(token)).toEqual([401, 'token_expired']);
    service.clock.advance(-600_001);
  });

  it('carries the scopes that the agent has now, not those of the exchange', async () => {
    const own = await usableAgent(service, merchant);
    const token = await exchangeAssertion(service, own);
    const body = { allowed_scopes: ['payment.requests.read'], version: own.version };
    await service.call('PATCH', `/v1/agents/${own.agentId}`, { session: merchant.session, body });
    expect(await judge(token)).toMatchObject({ scopes: ['payment.requests.read'] });
  });

  it('a well-formed token that was never issued is unknown', async () => {
    const { newToken } = await import('@payassent/protocol');
    const token = newToken('agent', () => new Uint8Array(32).fill(9));
    expect(await judge(token)).toEqual([401, 'unauthenticated']);
  });

  it('is deleted a day after its end, with its jti', async () => {
    const own = await usableAgent(service, merchant);
    const token = await exchangeAssertion(service, own);
    const now = service.clock.now().getTime();
    const purgeAt = async (time: number) => {
      for (const rule of agentsFeature().retention ?? [])
        await rule.purge(service.db, new Date(time), 10_000);
      const jtis = await service.db`select from agent_assertions where credential_id = ${own.credentialId}`;
      return [await judge(token), jtis.length];
    };
    expect(await purgeAt(now + DAY_MS)).toMatchObject([{ agentId: own.agentId }, 1]);
    expect(await purgeAt(now + DAY_MS + 700_000)).toEqual([[401, 'unauthenticated'], 0]);
  });
});

describe('the limit per agent', () => {
  it('counts proved assertions for the agent, and the rest for the address', async () => {
    const limited = await serviceForTest({ env: { SVC_RATE_LIMITS: 'token=3/min,registrations=99/h' } });
    limited.clock.freeze();
    const operator = await verifiedMerchant(limited);
    const [one, other] = [await usableAgent(limited, operator), await usableAgent(limited, operator)];
    const send = (assertion: string) => limited.call('POST', '/v1/agent-auth/token', { body: { assertion } });
    const forged = () => signAssertion(limited, one, { privateKey: other.privateKey });
    const bad = [];
    for (let turn = 0; turn < 4; turn += 1) bad.push((await send(forged())).status);
    // A caller who sends garbage in the name of an agent uses up its own limit, not the agent's.
    expect(bad).toEqual([401, 401, 401, 429]);
    const good = [];
    for (let turn = 0; turn < 4; turn += 1) good.push(await send(signAssertion(limited, one)));
    expect(good.map((received) => received.status)).toEqual([200, 200, 200, 429]);
    expect(good[0]?.headers.get('ratelimit')).toMatch(/^"token";r=2;t=\d+$/);
    expect(good[3]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await send(signAssertion(limited, other))).status).toBe(200);
  });
});

describe('the limit before the signature', () => {
  it('counts for agent and address together, also what proves nothing', async () => {
    const limited = await serviceForTest({
      env: { SVC_RATE_LIMITS: 'assertions=2/min,token=99/min,registrations=99/h' },
    });
    limited.clock.freeze();
    const operator = await verifiedMerchant(limited);
    const [one, other] = [await usableAgent(limited, operator), await usableAgent(limited, operator)];
    const send = (assertion: string) => limited.call('POST', '/v1/agent-auth/token', { body: { assertion } });
    const forged = () => signAssertion(limited, one, { privateKey: other.privateKey });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await send(forged())).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await send(signAssertion(limited, other))).status).toBe(200);
  });
});

describe('the header', () => {
  it('is refused when it is repeated with different values; equal ones count as one', async () => {
    const token = await exchangeAssertion(service, agent);
    const other = await exchangeAssertion(service, agent);
    const send = (...tokens: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = ['Host', new URL(service.url).host];
        for (const each of tokens) headers.push('Authorization', `Bearer ${each}`);
        const sent = request(`${service.url}/v1/connections`, { headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.on('error', reject).end();
      });
    expect([await send(token), await send(token, token), await send(token, other)]).toEqual([200, 200, 401]);
  });
});
