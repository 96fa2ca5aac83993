import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { rawPublicKey, signText } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let merchant: TestMerchant;
let agentId: string;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  agentId = await newAgent();
});
afterAll(() => service.close());
afterEach(() => service.clock.release());

const call = (method: string, path: string, body?: unknown): Promise<Received> =>
  service.call(method, path, { session: merchant.session, ...(body === undefined ? {} : { body }) });

async function newAgent(): Promise<string> {
  const body = { name: 'A', runtime: 'node', environment: 'test', allowed_scopes: ['payment.requests.read'] };
  return (await call('POST', '/v1/agents', body)).body.agent.agent_id;
}

interface Pair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}
const newPair = (): Pair => generateKeyPairSync('ed25519');
const newKid = () => `kid-${randomUUID()}`;

const register = (pair: Pair, kid: string, members: Record<string, unknown> = {}) =>
  call('POST', `/v1/agents/${agentId}/credentials`, {
    kid,
    alg: 'Ed25519',
    public_key: rawPublicKey(pair.publicKey),
    ...members,
  });

const activate = (credentialId: string, challenge: string, signature: string) =>
  call('POST', `/v1/agents/${agentId}/credentials/${credentialId}/activate`, { challenge, signature });

async function registered(members: Record<string, unknown> = {}) {
  const pair = newPair();
  const kid = newKid();
  const { credential, proof_challenge } = (await register(pair, kid, members)).body;
  const challenge: string = proof_challenge;
  return { pair, kid, credentialId: credential.credential_id as string, challenge };
}

const statusOf = async (credentialId: string): Promise<string> => {
  const { credentials } = (await call('GET', `/v1/agents/${agentId}/credentials?limit=100`)).body;
  const found = credentials.find((entry: { credential_id: string }) => entry.credential_id === credentialId);
  return found.status;
};

describe('registering a key', () => {
  it('responds with the text to sign: eight lines that name service, agent, credential and key', async () => {
    service.clock.freeze();
    const pair = newPair();
    const received = await register(pair, 'lines');
    expect(received.status).toBe(201);
    const { credential, proof_challenge, proof_challenge_expires_at } = received.body;
    expect(credential).toMatchObject({
      agent_id: agentId,
      kid: 'lines',
      alg: 'Ed25519',
      status: 'pending_proof',
      not_before: null,
      expires_at: null,
    });
    const lines = proof_challenge.split('\n');
    expect(lines).toHaveLength(8);
    expect([...lines.slice(0, 5), lines[7]]).toEqual([
      'svc.agent-credential-proof.v1',
      service.url,
      agentId,
      credential.credential_id,
      'lines',
      proof_challenge_expires_at,
    ]);
    expect(Date.parse(proof_challenge_expires_at) - service.clock.now().getTime()).toBe(300_000);
    expect(Buffer.from(lines[6], 'base64url')).toHaveLength(32);
  });

  it('keeps neither the challenge nor its nonce', async () => {
    const { challenge, credentialId } = await registered();
    const rows =
      await service.db`select row_to_json(c)::text as text from agent_credentials c where credential_id = ${credentialId}`;
    const nonce = challenge.split('\n')[6] ?? '';
    expect(rows[0]?.['text']).not.toContain(nonce);
  });

  it.each([
    ['base64url', (raw: Buffer) => raw.toString('base64url')],
    ['base64', (raw: Buffer) => raw.toString('base64')],
    ['hex', (raw: Buffer) => raw.toString('hex')],
  ])('accepts the key as %s', async (_, encode) => {
    const pair = newPair();
    const raw = Buffer.from(rawPublicKey(pair.publicKey), 'base64url');
    expect((await register(pair, newKid(), { public_key: encode(raw) })).status).toBe(201);
  });

  it('accepts SPKI PEM', async () => {
    const pair = newPair();
    const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect((await register(pair, newKid(), { public_key: pem })).status).toBe(201);
  });

  it('names a private key as one, and keeps nothing of it', async () => {
    const { privateKey } = newPair();
    const forms = [
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      JSON.stringify(privateKey.export({ format: 'jwk' })),
    ];
    for (const public_key of forms) {
      const received = await register(newPair(), newKid(), { public_key });
      expect(received.status).toBe(400);
      expect(received.body.error.issues).toMatchObject([{ field: 'public_key', code: 'invalid_format' }]);
      expect(received.body.error.message).toMatch(/private key.*replace it/);
      expect(received.text).not.toContain(privateKey.export({ format: 'jwk' }).d);
    }
  });

  it.each([
    [
      'a point of small order',
      '0100000000000000000000000000000000000000000000000000000000000000',
      'small order',
    ],
    [
      'a non-canonical point',
      'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'not canonical',
    ],
    ['31 bytes', 'ab'.repeat(31), '32 bytes'],
    ['no key at all', 'hello!', 'base64url, base64 or hex'],
  ])('%s is refused', async (_, public_key, reason) => {
    const received = await register(newPair(), newKid(), { public_key });
    expect(received.body.error.issues).toMatchObject([{ field: 'public_key', code: 'invalid_format' }]);
    expect(received.body.error.message).toContain(reason);
  });

  it.each([
    ['another algorithm', { alg: 'ES256' }, 'alg', 'invalid_enum'],
    ['a kid with a line break', { kid: 'a\nb' }, 'kid', 'invalid_format'],
    ['a kid of 161 characters', { kid: 'k'.repeat(161) }, 'kid', 'too_long'],
    ['an empty kid', { kid: '' }, 'kid', 'too_short'],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'expires_in_past'],
    ['a time without zone', { not_before: '2030-01-01T00:00:00' }, 'not_before', 'invalid_format'],
    ['an offset without colon', { not_before: '2030-01-01T00:00:00+0200' }, 'not_before', 'invalid_format'],
    ['a space for the T', { not_before: '2030-01-01 00:00:00Z' }, 'not_before', 'invalid_format'],
    ['a leap second', { not_before: '2016-12-31T23:59:60Z' }, 'not_before', 'invalid_format'],
    ['a year out of range', { expires_at: '9999-12-31T23:59:59-01:00' }, 'expires_at', 'out_of_range'],
    ['a year before all clocks', { not_before: '0000-01-01T00:00:00Z' }, 'not_before', 'out_of_range'],
    [
      'an end before the beginning',
      { not_before: '2040-01-02T00:00:00Z', expires_at: '2040-01-01T00:00:00Z' },
      'expires_at',
      'out_of_range',
    ],
  ])('%s is refused', async (_, members, field, code) => {
    const received = await register(newPair(), newKid(), members);
    expect(received.status).toBe(400);
    expect(received.body.error.issues).toMatchObject([{ field, code }]);
  });

  it('normalises times with an offset', async () => {
    const received = await register(newPair(), newKid(), { not_before: '2040-01-01T02:00:00.5+02:00' });
    expect(received.body.credential.not_before).toBe('2040-01-01T00:00:00.500Z');
  });
});

describe('one kid', () => {
  it('with the same key, while unproved, gets a fresh challenge, and the old one no longer works', async () => {
    const { pair, kid, credentialId, challenge } = await registered();
    const again = await register(pair, kid, { expires_at: '2040-01-01T00:00:00Z' });
    expect(again.status).toBe(200);
    expect(again.body.credential).toMatchObject({
      credential_id: credentialId,
      expires_at: '2040-01-01T00:00:00.000Z',
    });
    const old = await activate(credentialId, challenge, signText(challenge, pair.privateKey));
    expect(old.body.error.code).toBe('challenge_expired');
    const fresh: string = again.body.proof_challenge;
    expect((await activate(credentialId, fresh, signText(fresh, pair.privateKey))).status).toBe(200);
  });

  it.each([
    ['with another key', async () => {}, true],
    [
      'after proof',
      async (made: Made) => {
        await activate(made.credentialId, made.challenge, signText(made.challenge, made.pair.privateKey));
      },
      false,
    ],
    [
      'after revocation',
      async (made: Made) => {
        await call('DELETE', `/v1/agents/${agentId}/credentials/${made.credentialId}`);
      },
      false,
    ],
  ] as [string, (made: Made) => Promise<void>, boolean][])(
    '%s is a conflict',
    async (_, before, otherKey) => {
      const made = await registered();
      await before(made);
      const received = await register(otherKey ? newPair() : made.pair, made.kid);
      expect(received.status).toBe(409);
      expect(received.body.error.code).toBe('kid_conflict');
    },
  );

  it('after expiry is a conflict', async () => {
    service.clock.freeze();
    const made = await registered({
      expires_at: new Date(service.clock.now().getTime() + 5000).toISOString(),
    });
    service.clock.advance(5001);
    expect((await register(made.pair, made.kid)).body.error.code).toBe('kid_conflict');
    service.clock.advance(-5001);
  });

  it('belongs to one agent: another one may use it for itself', async () => {
    const made = await registered();
    const body = { kid: made.kid, alg: 'Ed25519', public_key: rawPublicKey(made.pair.publicKey) };
    const received = await call('POST', `/v1/agents/${await newAgent()}/credentials`, body);
    expect(received.status).toBe(201);
  });
});

type Made = Awaited<ReturnType<typeof registered>>;

describe('proof of possession', () => {
  it.each([
    ['4:59', 299_000, 200],
    ['5:00', 300_000, 200],
    ['5:00.001', 300_001, 'challenge_expired'],
    ['5:01', 301_000, 'challenge_expired'],
  ])('at %s', async (_, ageMs, outcome) => {
    service.clock.freeze();
    const { pair, credentialId, challenge } = await registered();
    service.clock.advance(ageMs);
    const received = await activate(credentialId, challenge, signText(challenge, pair.privateKey));
    expect(received.body.error?.code ?? received.status).toBe(outcome);
    service.clock.advance(-ageMs);
  });

  it('a wrong signature burns nothing', async () => {
    const { pair, credentialId, challenge } = await registered();
    const wrong = [
      signText(challenge, newPair().privateKey),
      signText(`${challenge}\n`, pair.privateKey),
      'AAAA',
      Buffer.alloc(64, 1).toString('base64'),
    ];
    for (const signature of wrong) {
      const received = await activate(credentialId, challenge, signature);
      expect(received.status).toBe(400);
      expect(received.body.error).toMatchObject({
        code: 'validation_failed',
        issues: [{ field: 'signature', code: 'signature_invalid' }],
      });
    }
    expect(await statusOf(credentialId)).toBe('pending_proof');
    const right = await activate(credentialId, challenge, signText(challenge, pair.privateKey));
    expect(right.body.credential.status).toBe('active');
  });

  it('success burns the challenge', async () => {
    const { pair, credentialId, challenge } = await registered();
    const signature = signText(challenge, pair.privateKey);
    expect((await activate(credentialId, challenge, signature)).status).toBe(200);
    const again = await activate(credentialId, challenge, signature);
    expect([again.status, again.body.error.code]).toEqual([409, 'challenge_used']);
  });

  it("another credential's challenge proves nothing", async () => {
    const mine = await registered();
    const other = await registered();
    const received = await activate(
      mine.credentialId,
      other.challenge,
      signText(other.challenge, mine.pair.privateKey),
    );
    expect(received.body.error.code).toBe('challenge_expired');
  });

  it('accepts the signature as base64 too', async () => {
    const { pair, credentialId, challenge } = await registered();
    const signature = Buffer.from(signText(challenge, pair.privateKey), 'base64url').toString('base64');
    expect((await activate(credentialId, challenge, signature)).status).toBe(200);
  });

  it('of a revoked credential comes too late', async () => {
    const { pair, credentialId, challenge } = await registered();
    await call('DELETE', `/v1/agents/${agentId}/credentials/${credentialId}`);
    const received = await activate(credentialId, challenge, signText(challenge, pair.privateKey));
    expect(received.body.error).toMatchObject({
      code: 'invalid_status_transition',
      details: { from: 'revoked', to: 'active', allowed: [] },
    });
  });
});

describe('revoking a credential', () => {
  it('is final, may be repeated, and is on record once', async () => {
    const { credentialId } = await registered();
    const path = `/v1/agents/${agentId}/credentials/${credentialId}`;
    const first = await call('DELETE', path);
    const second = await call('DELETE', path);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.credential).toEqual(first.body.credential);
    expect(first.body.credential.status).toBe('revoked');
    const events = await call('GET', `/v1/audit-events?target_id=${credentialId}`);
    expect(events.body.audit_events.map((event: { type: string }) => event.type)).toEqual([
      'credential.revoked',
      'credential.registered',
    ]);
  });

  it('reads as expired from its end on, and then stays so', async () => {
    service.clock.freeze();
    const end = new Date(service.clock.now().getTime() + 10_000);
    const { pair, credentialId, challenge } = await registered({ expires_at: end.toISOString() });
    await activate(credentialId, challenge, signText(challenge, pair.privateKey));
    service.clock.advance(10_000);
    expect(await statusOf(credentialId)).toBe('active');
    service.clock.advance(1);
    expect(await statusOf(credentialId)).toBe('expired');
    const revoked = await call('DELETE', `/v1/agents/${agentId}/credentials/${credentialId}`);
    expect(revoked.body.error).toMatchObject({
      code: 'invalid_status_transition',
      details: { from: 'expired' },
    });
    service.clock.advance(-10_001);
  });
});

describe('the database', () => {
  it('refuses another key for a credential', async () => {
    const { credentialId } = await registered();
    const change = service.db`
      update agent_credentials set public_key = ${Buffer.alloc(32, 5)} where credential_id = ${credentialId}`;
    await expect(change).rejects.toThrow('cannot be changed');
  });
});
