import { createHash } from 'node:crypto';
import { type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  agentToken,
  deviceOf,
  enrolDevice,
  type TestDevice,
  useConnection,
} from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { parsePairingUri } from '@payassent/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../lib/clock.ts';

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
let device: TestDevice;
let bearer: string;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service, { name: 'Blue Bottle' });
  agent = await usableAgent(service, merchant, { name: 'Buyer', runtime: 'python' });
  device = await enrolDevice(service);
  bearer = await agentToken(service, agent);
});
afterEach(() => service.clock.release());
afterAll(() => service.close());

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? 'ok'}`;
const SESSIONS = '/v1/pairing/sessions';
const start = async (scopes: unknown = ['payment.requests.create', 'payment.requests.read']) => {
  const received = await service.call('POST', SESSIONS, { bearer, body: { requested_scopes: scopes } });
  const session = received.body.pairing_session;
  return { received, session, id: session?.pairing_session_id as string, code: session?.code as string };
};
const poll = (id: string, code?: string, by = bearer) =>
  service.call('GET', `${SESSIONS}/${id}`, {
    bearer: by,
    ...(code === undefined ? {} : { query: { code } }),
  });
const find = (code: string, by: { device_id: string; token: string } = device) =>
  service.call('GET', SESSIONS, { device: deviceOf(by), query: { code } });
const decide = (id: string, decision: 'approve' | 'reject', body: object, by = device) =>
  service.call('POST', `${SESSIONS}/${id}/${decision}`, { device: deviceOf(by), body });
const use = (token: string) => useConnection(service, token);
/** Alphabetical: entries of the same millisecond have no other order. */
const auditOf = async (id: string): Promise<string[]> =>
  (await service.db`select type from audit_events where target_id = ${id} order by type`).map(
    (row) => row['type'] as string,
  );
const wrong = (code: string) => code.replace(/^./, (letter) => (letter === 'B' ? 'C' : 'B'));

describe('a pairing session', () => {
  it('starts with a code and a URI that carry the same', async () => {
    const { received, session, id, code } = await start();
    expect(received.status).toBe(201);
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(session.pairing_uri).toBe(
      `svc://pair?session=${id}&code=${code.replace('-', '')}&origin=${encodeURIComponent(service.url)}`,
    );
    expect(parsePairingUri(session.pairing_uri)).toEqual({
      sessionId: id,
      code: code.replace('-', ''),
      origin: service.url,
    });
    expect(session).toMatchObject({
      status: 'pending',
      requested_scopes: ['payment.requests.create', 'payment.requests.read'],
      approved_scopes: null,
      agent: { agent_id: agent.agentId, name: 'Buyer', runtime: 'python' },
      merchant: { name: 'Blue Bottle', verified_domain: merchant.domain },
      connection_id: null,
    });
    expect(session.poll_after_ms).toBeGreaterThan(0);
    expect(await auditOf(id)).toEqual(['pairing_session.created']);
  });

  it('requests no more than the agent is allowed', async () => {
    const modest = await usableAgent(service, merchant, { allowed_scopes: ['payment.requests.read'] });
    const received = await service.call('POST', SESSIONS, {
      bearer: await agentToken(service, modest),
      body: { requested_scopes: ['payment.requests.create'] },
    });
    expect(outcome(received)).toBe('403 insufficient_scope');
    const { received: unknown } = await start(['everything']);
    expect(unknown.body.error.issues).toMatchObject([
      { field: 'requested_scopes[0]', code: 'scope_unknown' },
    ]);
  });

  it('keeps no code that a dump would reveal', async () => {
    const { id, code } = await start();
    const [row] = await service.db`select * from pairing_sessions where pairing_session_id = ${id}`;
    const plain = code.replace('-', '');
    const hash = createHash('sha256').update(plain).digest('hex');
    const stored = JSON.stringify(row);
    for (const hint of [code, plain, hash]) expect(stored).not.toContain(hint);
  });
});

describe('the wallet', () => {
  it('finds who requests it by the code, in any spelling, before it decides', async () => {
    const { session, id, code } = await start();
    const { code: _, pairing_uri: __, ...shown } = session;
    for (const spelling of [code, code.toLowerCase(), code.replace('-', '')])
      expect((await find(spelling)).body.pairing_session).toEqual(shown);
    expect((await find(wrong(code))).status).toBe(404);
    expect(outcome(await service.call('GET', SESSIONS, { device: deviceOf(device) }))).toBe(
      '400 validation_failed',
    );
    await decide(id, 'reject', { code });
    expect((await find(code)).status).toBe(404);
  });

  it('approves some of the scopes; both sides receive the same token until its first use', async () => {
    const { id, code } = await start();
    expect((await poll(id, code)).body).toMatchObject({
      pairing_session: { status: 'pending' },
      connection: null,
      connection_token: null,
    });
    const approved = await decide(id, 'approve', { code, scopes: ['payment.requests.read'] });
    expect(approved.status).toBe(200);
    expect(approved.body.connection.scopes).toEqual(['payment.requests.read']);
    for (let look = 0; look < 3; look += 1) {
      const { body } = await poll(id, code);
      expect(body.connection_token).toBe(approved.body.connection_token);
      expect(body.connection).toEqual(approved.body.connection);
      expect(body.pairing_session).toMatchObject({
        status: 'approved',
        approved_scopes: ['payment.requests.read'],
        connection_id: approved.body.connection.connection_id,
      });
      expect(body.pairing_session).not.toHaveProperty('code');
      expect(body.pairing_session).not.toHaveProperty('pairing_uri');
    }
    expect(await use(approved.body.connection_token)).toBe('200 ok');
    const last = await poll(id, code);
    expect(last.body.pairing_session.status).toBe('completed');
    expect(last.body.connection.connection_id).toBe(approved.body.connection.connection_id);
    expect(last.body.connection_token).toBeNull();
    expect(await auditOf(id)).toEqual(['pairing_session.approved', 'pairing_session.created']);
    expect(await auditOf(approved.body.connection.connection_id)).toEqual(['connection.created']);
  });

  it('approves no more than was requested', async () => {
    const { id, code } = await start(['payment.requests.read']);
    for (const [scopes, issue] of [
      [[], 'too_short'],
      [['payment.requests.create'], 'scope_not_allowed'],
      [['nonsense'], 'scope_unknown'],
    ] as const) {
      const refused = await decide(id, 'approve', { code, scopes });
      expect(refused.status).toBe(400);
      expect(refused.body.error.issues[0].code).toBe(issue);
    }
    expect(outcome(await decide(id, 'approve', {}))).toBe('400 validation_failed');
    const all = await decide(id, 'approve', { code });
    expect(all.body.connection.scopes).toEqual(['payment.requests.read']);
  });

  it('decides once', async () => {
    const approved = await start();
    await decide(approved.id, 'approve', { code: approved.code });
    const rejected = await start();
    const answer = await decide(rejected.id, 'reject', { code: rejected.code });
    expect(answer.body.pairing_session.status).toBe('rejected');
    for (const { id, code } of [approved, rejected])
      for (const decision of ['approve', 'reject'] as const)
        expect(outcome(await decide(id, decision, { code }))).toBe('409 pairing_closed');
    expect((await poll(rejected.id, rejected.code)).body.pairing_session.status).toBe('rejected');
  });

  it('has ten minutes, the last moment included', async () => {
    service.clock.freeze();
    const [onTime, late] = [await start(), await start()];
    service.clock.advance(10 * MINUTE_MS);
    expect((await find(late.code)).status).toBe(200);
    expect(outcome(await decide(onTime.id, 'approve', { code: onTime.code }))).toBe('200 ok');
    service.clock.advance(1);
    bearer = await agentToken(service, agent);
    expect((await find(late.code)).status).toBe(404);
    expect(outcome(await decide(late.id, 'approve', { code: late.code }))).toBe('409 pairing_closed');
    expect((await poll(late.id, late.code)).body.pairing_session.status).toBe('expired');
  });

  it('an approved session stays collectable, also a day later and after a rotation', async () => {
    const { connectionRetention } = await import('./index.ts');
    const { id, code } = await start();
    const approved = await decide(id, 'approve', { code });
    service.clock.advance(25 * 60 * MINUTE_MS);
    for (const rule of connectionRetention) await rule.purge(service.db, service.clock.now(), 500);
    bearer = await agentToken(service, agent);
    expect((await poll(id, code)).body.connection_token).toBe(approved.body.connection_token);
    const rotated = await service.call(
      'POST',
      `/v1/connections/${approved.body.connection.connection_id}/rotate-token`,
      { device: deviceOf(device) },
    );
    expect((await poll(id, code)).body.connection_token).toBe(rotated.body.connection_token);
    expect(await use(rotated.body.connection_token)).toBe('200 ok');
    service.clock.advance(25 * 60 * MINUTE_MS);
    for (const rule of connectionRetention) await rule.purge(service.db, service.clock.now(), 500);
    bearer = await agentToken(service, agent);
    expect((await poll(id, code)).status).toBe(404);
  });

  it('a revoked connection hands out nothing', async () => {
    const { id, code } = await start();
    const { body } = await decide(id, 'approve', { code });
    await service.call('DELETE', `/v1/connections/${body.connection.connection_id}`, {
      device: deviceOf(device),
    });
    expect((await poll(id, code)).body).toMatchObject({
      connection: { status: 'revoked' },
      connection_token: null,
    });
  });
});

describe('wrong codes', () => {
  it('are 404 and count, by agent and wallet together; the fifth ends the session', async () => {
    const { id, code } = await start();
    expect(outcome(await poll(id))).toBe('400 validation_failed');
    expect((await poll(id, wrong(code))).status).toBe(404);
    expect((await poll(id, 'nonsense')).status).toBe(404);
    expect((await decide(id, 'approve', { code: wrong(code) })).status).toBe(404);
    expect((await decide(id, 'reject', { code: wrong(code) })).status).toBe(404);
    expect((await poll(id, code)).body.pairing_session.status).toBe('pending');
    expect((await decide(id, 'approve', { code: wrong(code) })).status).toBe(404);
    expect((await poll(id, code)).body.pairing_session.status).toBe('expired');
    expect(outcome(await decide(id, 'approve', { code }))).toBe('409 pairing_closed');
    expect((await decide(id, 'approve', { code: wrong(code) })).status).toBe(404);
  });

  it('100 parallel guesses are five guesses', async () => {
    const { id, code } = await start();
    const guesses = Array.from({ length: 100 }, (_, index) =>
      decide(id, 'approve', { code: index === 99 ? code : `${wrong(code)}` }),
    );
    const answers = await Promise.all(guesses);
    const [row] = await service.db`
      select status, wrong_codes from pairing_sessions where pairing_session_id = ${id}`;
    const approved = answers.filter(({ status }) => status === 200).length;
    expect(row).toEqual(
      approved === 1
        ? { status: 'approved', wrong_codes: expect.any(Number) }
        : { status: 'expired', wrong_codes: 5 },
    );
    expect(row?.['wrong_codes']).toBeLessThanOrEqual(5);
  });

  it("another agent sees nothing, even with the code, and does not use up the session's tries", async () => {
    const { id, code } = await start();
    const stranger = await agentToken(service, await usableAgent(service, await verifiedMerchant(service)));
    for (let look = 0; look < 6; look += 1)
      expect((await poll(id, look % 2 ? code : wrong(code), stranger)).status).toBe(404);
    expect((await poll(id, code)).body.pairing_session.status).toBe('pending');
  });
});

describe('finding codes', () => {
  it('ten misses a minute per device, then 429; hits do not count; other devices continue', async () => {
    // The public address decides, not the address the server binds to.
    const guarded = await startService({ env: { SVC_BASE_URL: 'https://pay.example' } });
    try {
      const { call, clock } = guarded;
      clock.freeze(new Date(Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS));
      const theirs = await usableAgent(guarded, await verifiedMerchant(guarded));
      const created = await call('POST', SESSIONS, {
        bearer: await agentToken({ call, clock, url: 'https://pay.example' }, theirs),
        body: { requested_scopes: ['payment.requests.read'] },
      });
      const [guesser, honest] = [await enrolDevice(guarded), await enrolDevice(guarded)];
      const look = async (by: TestDevice, code = 'BBBB-BBBB') =>
        call('GET', SESSIONS, { device: deviceOf(by), query: { code } });
      const hit = async () => (await look(guesser, created.body.pairing_session.code)).status;
      for (let count = 0; count < 12; count += 1) expect(await hit()).toBe(200);
      const misses = [];
      for (let miss = 0; miss < 11; miss += 1) misses.push((await look(guesser)).status);
      expect(misses).toEqual([...Array(10).fill(404), 429]);
      expect((await look(guesser)).headers.get('retry-after')).toBe('60');
      expect(await hit()).toBe(429);
      expect((await look(honest)).status).toBe(404);
      clock.advance(MINUTE_MS);
      expect(await hit()).toBe(200);
    } finally {
      await guarded.close();
    }
  });

  it('is not limited on a loopback address', async () => {
    const statuses = [];
    for (let miss = 0; miss < 15; miss += 1) statuses.push((await find('BBBB-BBBB')).status);
    expect(new Set(statuses)).toEqual(new Set([404]));
  });
});
