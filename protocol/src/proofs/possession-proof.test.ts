import { createHash } from 'node:crypto';
import { EmbeddedJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { encodeBase64Url } from '../encoding/base64.ts';
import { ed25519PublicKey, signEd25519 } from './ed25519.ts';
import { buildProof, judgeProof, parseProof, verifyProofSignature } from './possession-proof.ts';

const SEED = new Uint8Array(32).fill(42);
const BASE = 'https://pay.example';
const CALL = { method: 'GET', path: '/v1/payment-requests/a%20b', token: 'svc_ct_x' };
const NOW_MS = 1_767_323_045_678;

const build = (overrides: object = {}) =>
  buildProof({
    method: CALL.method,
    url: `${BASE}${CALL.path}?wait=3#part`,
    token: CALL.token,
    publicKey: encodeBase64Url(ed25519PublicKey(SEED)),
    jti: 'j1',
    nowMs: NOW_MS,
    sign: (input) => signEd25519(input, SEED),
    ...overrides,
  });

async function proofOf(overrides: object = {}) {
  const parsed = parseProof(await build(overrides));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.proof;
}

describe('proof of possession', () => {
  it('is what another implementation of RFC 9449 expects', async () => {
    const { payload, protectedHeader } = await jwtVerify(await build(), EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: ['EdDSA'],
      currentDate: new Date(NOW_MS),
    });
    expect(protectedHeader).toMatchObject({
      typ: 'dpop+jwt',
      alg: 'EdDSA',
      jwk: { kty: 'OKP', crv: 'Ed25519' },
    });
    expect(payload).toEqual({
      jti: 'j1',
      htm: 'GET',
      htu: `${BASE}${CALL.path}`,
      iat: Math.floor(NOW_MS / 1000),
      ath: createHash('sha256').update(CALL.token).digest('base64url'),
    });
  });

  it('verifies for its own call and for no other', async () => {
    const proof = await proofOf();
    expect(verifyProofSignature(proof)).toBe(true);
    const judge = (call: object, base = BASE, at = NOW_MS) =>
      judgeProof(proof, { ...CALL, ...call }, base, at);
    expect(judge({})).toBeUndefined();
    expect(judge({}, 'https://pay.example:443')).toBeUndefined();
    expect(judge({ token: 'svc_ct_y' })).toBe('token');
    expect(judge({ method: 'POST' })).toBe('method');
    expect(judge({ path: '/v1/payment-requests/a' })).toBe('url');
    expect(judge({}, 'https://other.example')).toBe('url');
    expect(judge({}, 'http://pay.example')).toBe('url');
    expect([-61, -60, 60, 61].map((s) => judge({}, BASE, NOW_MS + s * 1000))).toEqual([
      'time',
      undefined,
      undefined,
      'time',
    ]);
  });

  it('no changed byte of it verifies', async () => {
    const text = await build();
    const accepted = [...text].filter((_, at) => {
      const other = text[at] === 'A' ? 'B' : 'A';
      const parsed = parseProof(text.slice(0, at) + other + text.slice(at + 1));
      return text[at] !== other && parsed.ok && verifyProofSignature(parsed.proof);
    });
    expect(accepted).toEqual([]);
  });

  it('is refused by its length before anything is decoded', () => {
    expect(parseProof('a'.repeat(100_000))).toEqual({ ok: false, reason: 'malformed' });
  });
});
