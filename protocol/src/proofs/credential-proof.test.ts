import { describe, expect, it } from 'vitest';
import {
  buildCredentialChallenge,
  parseCredentialChallenge,
  verifyCredentialProof,
} from './credential-proof.ts';
import { ed25519PublicKey, signEd25519 } from './ed25519.ts';

const SEED = new Uint8Array(32).fill(7);
const INPUT = {
  baseUrl: 'http://127.0.0.1:8787',
  agentId: 'agt_01ARYZ6S410000000000000000',
  credentialId: 'crd_01ARYZ6S410000000000000000',
  kid: 'key 1',
  publicKey: ed25519PublicKey(SEED),
  nonce: new Uint8Array(32).fill(255),
  expiresAt: '2026-01-02T03:09:05.678Z',
};

describe('credential proof', () => {
  it('is exactly the eight lines of the contract', () => {
    expect(buildCredentialChallenge(INPUT)).toBe(
      [
        'svc.agent-credential-proof.v1',
        'http://127.0.0.1:8787',
        'agt_01ARYZ6S410000000000000000',
        'crd_01ARYZ6S410000000000000000',
        'key 1',
        // sha256sum over the 32 bytes of the key
        'fe812c12f3ab4ce6ac5db69ac352f906cb1b11ef43fb33e252ef7ff552263889',
        '__________________________________________8',
        '2026-01-02T03:09:05.678Z',
      ].join('\n'),
    );
  });

  it('verifies in either base64, and only over its own text with its own key', () => {
    const text = buildCredentialChallenge(INPUT);
    const signature = Buffer.from(signEd25519(new TextEncoder().encode(text), SEED));
    for (const encoding of ['base64', 'base64url'] as const) {
      expect(verifyCredentialProof(INPUT.publicKey, text, signature.toString(encoding))).toBe(true);
    }
    const other = buildCredentialChallenge({ ...INPUT, nonce: new Uint8Array(32) });
    expect(verifyCredentialProof(INPUT.publicKey, other, signature.toString('base64'))).toBe(false);
    expect(
      verifyCredentialProof(ed25519PublicKey(new Uint8Array(32)), text, signature.toString('base64')),
    ).toBe(false);
    for (const bad of ['', 'x', signature.toString('hex'), `${signature.toString('base64')}\n`]) {
      expect(verifyCredentialProof(INPUT.publicKey, text, bad)).toBe(false);
    }
  });

  it('shows the signer what it is about to sign', () => {
    const read = parseCredentialChallenge(buildCredentialChallenge(INPUT));
    expect(read).toMatchObject({
      agentId: INPUT.agentId,
      credentialId: INPUT.credentialId,
      kid: 'key 1',
      expiresAt: INPUT.expiresAt,
    });
    expect(parseCredentialChallenge('')).toBeUndefined();
    expect(parseCredentialChallenge(`${buildCredentialChallenge(INPUT)}\nmore`)).toBeUndefined();
    expect(parseCredentialChallenge(buildCredentialChallenge(INPUT).replace('v1', 'v2'))).toBeUndefined();
  });

  it('cannot be given an extra line', () => {
    for (const bad of [
      { kid: 'a\nb' },
      { kid: '' },
      { baseUrl: 'x\r' },
      { nonce: new Uint8Array(16) },
      { publicKey: new Uint8Array(31) },
    ]) {
      expect(() => buildCredentialChallenge({ ...INPUT, ...bad })).toThrow(RangeError);
    }
  });
});
