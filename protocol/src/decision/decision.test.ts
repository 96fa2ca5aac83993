import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeBase64Url } from '../encoding/base64.ts';
import { ed25519PublicKey, signEd25519 } from '../proofs/ed25519.ts';
import {
  assertionCounter,
  contextDigest,
  type DecisionFacts,
  decisionActText,
  decisionKeyFaults,
  decisionKeyThumbprint,
  decisionStatement,
  signatureFault,
  type WebauthnDecisionKey,
  webauthnChallenge,
} from './index.ts';

const facts: DecisionFacts = {
  decision: 'approve',
  request_id: 'pr_1',
  connection_id: 'con_1',
  device_id: 'dev_1',
  facts_digest: `sha256:${'1'.repeat(64)}`,
  context_digest: null,
  expires_at: '2026-11-15T13:00:00.000Z',
  decided_at: '2026-11-15T12:00:00.000Z',
};
const text = decisionStatement(facts);
const seed = new Uint8Array(32).fill(3);
const key = { alg: 'Ed25519', public_key: encodeBase64Url(ed25519PublicKey(seed)) } as const;
const bytes = (value: string) => new TextEncoder().encode(value);

describe('a statement', () => {
  it('is one text for one decision', () => {
    expect(text).toBe(
      `{"connection_id":"con_1","context_digest":null,"decided_at":"2026-11-15T12:00:00.000Z","decision":"approve","device_id":"dev_1","expires_at":"2026-11-15T13:00:00.000Z","facts_digest":"sha256:${'1'.repeat(64)}","profile":"svc.decision.v1","request_id":"pr_1"}`,
    );
    const { request_id: _, ...rest } = facts as DecisionFacts & { request_id: string };
    expect(decisionStatement({ ...rest, agent_payment_id: 'ap_1' })).toContain('"agent_payment_id":"ap_1"');
  });

  it('covers the context without the name that it was posted under', () => {
    expect(contextDigest({ transaction_id: 'a', title: 'x' })).toBe(contextDigest({ title: 'x' }));
    expect(contextDigest({ title: 'y' })).not.toBe(contextDigest({ title: 'x' }));
  });
});

describe('the text of an authorization', () => {
  const at = '2026-11-15T12:00:00.000Z';

  it('names the service, the act, the device, the key and the time', () => {
    const thumbprint = decisionKeyThumbprint(key);
    expect(
      decisionActText('https://pay.example', { act: 'set_key', deviceId: 'dev_1', thumbprint, at }),
    ).toBe(`svc-decision-act:v1:https://pay.example:set_key:dev_1:${thumbprint}:${at}`);
    expect(
      decisionActText('https://pay.example', { act: 'recovery_code', deviceId: null, thumbprint: null, at }),
    ).toBe(`svc-decision-act:v1:https://pay.example:recovery_code:-:-:${at}`);
  });

  it('of a passkey states the counter of its authenticator', () => {
    const data = new Uint8Array(37);
    const assertion = { client_data_json: '', signature: '' };
    expect(assertionCounter({ ...assertion, authenticator_data: encodeBase64Url(data) })).toBe(0);
    data.set([0xff, 0, 0, 7], 33);
    expect(assertionCounter({ ...assertion, authenticator_data: encodeBase64Url(data) })).toBe(0xff000007);
  });
});

describe('an Ed25519 decision key', () => {
  const signed = { signature: encodeBase64Url(signEd25519(bytes(text), seed)) };

  it('signs the statement', () => {
    expect(decisionKeyFaults(key)).toEqual([]);
    expect(signatureFault(key, text, signed)).toBeUndefined();
  });

  it.each(Object.keys(facts))('a statement with another %s is not the one that was signed', (name) => {
    const changed = { ...facts, [name]: name === 'decision' ? 'reject' : 'other' } as DecisionFacts;
    expect(signatureFault(key, decisionStatement(changed), signed)).toBe('wrong_signature');
  });

  it.each([
    [{ signature: `${signed.signature}=` }, 'malformed'],
    [{ signature: '' }, 'malformed'],
    [{ webauthn: { authenticator_data: '', client_data_json: '', signature: '' } }, 'wrong_kind'],
  ])('%j is refused: %s', (other, fault) => {
    expect(signatureFault(key, text, other)).toBe(fault);
  });

  it('has a thumbprint over the whole key object', () => {
    expect(decisionKeyThumbprint(key)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(
      decisionKeyFaults({ alg: 'Ed25519', public_key: encodeBase64Url(new Uint8Array(32)) }),
    ).toHaveLength(1);
    expect(decisionKeyFaults({ alg: 'Ed25519', public_key: `${key.public_key}=` })).toHaveLength(1);
  });
});

/** An authenticator made of Node's own cryptography, which is not what verifies. */
function authenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const passkey: WebauthnDecisionKey = {
    alg: 'webauthn',
    credential_id: 'AQID',
    public_key: cose.toString('base64url'),
    rp_id: 'wallet.example',
    origin: 'https://app.wallet.example',
  };
  const assert = (
    challenge: Uint8Array,
    options: { origin?: string; rpId?: string; flags?: number; type?: string; crossOrigin?: boolean } = {},
  ) => {
    const clientData = JSON.stringify({
      type: options.type ?? 'webauthn.get',
      challenge: encodeBase64Url(challenge),
      origin: options.origin ?? passkey.origin,
      crossOrigin: options.crossOrigin ?? false,
    });
    const rpIdHash = webauthnChallenge(options.rpId ?? passkey.rp_id);
    const data = Buffer.concat([rpIdHash, Buffer.from([options.flags ?? 0x05, 0, 0, 0, 1])]);
    const signature = sign('sha256', Buffer.concat([data, webauthnChallenge(clientData)]), privateKey);
    return {
      webauthn: {
        authenticator_data: data.toString('base64url'),
        client_data_json: Buffer.from(clientData).toString('base64url'),
        signature: signature.toString('base64url'),
      },
    };
  };
  return { passkey, assert };
}

describe('a passkey as decision key', () => {
  const { passkey, assert } = authenticator();
  const challenge = webauthnChallenge(text);

  it('signs the hash of the statement, with its user verified', () => {
    expect(decisionKeyFaults(passkey)).toEqual([]);
    for (let n = 0; n < 20; n += 1) expect(signatureFault(passkey, text, assert(challenge))).toBeUndefined();
  });

  it.each([
    ['another statement', 'wrong_challenge', () => assert(webauthnChallenge(`${text} `))],
    ['another origin', 'wrong_origin', () => assert(challenge, { origin: 'https://evil.example' })],
    ['a frame of another origin', 'wrong_origin', () => assert(challenge, { crossOrigin: true })],
    ['another relying party', 'wrong_origin', () => assert(challenge, { rpId: 'evil.example' })],
    ['no user verification', 'user_not_verified', () => assert(challenge, { flags: 0x01 })],
    ['no user', 'user_not_verified', () => assert(challenge, { flags: 0x04 })],
    ['a registration', 'wrong_challenge', () => assert(challenge, { type: 'webauthn.create' })],
    ['the key of somebody else', 'wrong_signature', () => authenticator().assert(challenge)],
  ] as const)('refuses %s: %s', (_, fault, make) => {
    expect(signatureFault(passkey, text, make())).toBe(fault);
  });

  it.each([
    [{ origin: 'http://app.wallet.example' }, 'origin'],
    [{ origin: 'https://app.wallet.example/' }, 'origin'],
    [{ rp_id: 'other.example' }, 'rp_id'],
    [{ rp_id: 'let.example' }, 'rp_id'],
    [{ credential_id: '' }, 'credential_id'],
    [{ public_key: 'AQID' }, 'public_key'],
  ])('with %j is none: %s', (change, field) => {
    expect(decisionKeyFaults({ ...passkey, ...change }).map((fault) => fault.field)).toEqual([field]);
  });
});
