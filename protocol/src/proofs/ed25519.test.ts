import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ed25519PublicKey, parseSignature, pointFault, signEd25519, verifyEd25519Strict } from './ed25519.ts';

interface Vectors {
  speccheck: { vectors: [message: string, publicKey: string, signature: string, accepted: boolean][] };
  wycheproof: {
    vectors: [id: number, message: string, publicKey: string, signature: string, valid: boolean][];
  };
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../test/vectors/ed25519.json', import.meta.url), 'utf8'),
);
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

describe('strict Ed25519 verification', () => {
  it('agrees with libsodium on the twelve vectors of ed25519-speccheck', () => {
    const verdicts = vectors.speccheck.vectors.map(([message, key, signature]) =>
      verifyEd25519Strict(hex(key), hex(message), hex(signature)),
    );
    expect(verdicts).toHaveLength(12);
    expect(verdicts).toEqual(vectors.speccheck.vectors.map(([, , , accepted]) => accepted));
  });

  it('agrees with Wycheproof', () => {
    const wrong = vectors.wycheproof.vectors.filter(
      ([, message, key, signature, valid]) =>
        verifyEd25519Strict(hex(key), hex(message), hex(signature)) !== valid,
    );
    expect(vectors.wycheproof.vectors.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('accepts what OpenSSL signs, and OpenSSL accepts what we sign', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (message) => {
        const { publicKey, privateKey } = generateKeyPairSync('ed25519');
        const jwk = privateKey.export({ format: 'jwk' });
        const rawKey = new Uint8Array(Buffer.from(jwk.x ?? '', 'base64url'));
        const seed = new Uint8Array(Buffer.from(jwk.d ?? '', 'base64url'));
        expect(ed25519PublicKey(seed)).toEqual(rawKey);
        expect(verifyEd25519Strict(rawKey, message, new Uint8Array(sign(null, message, privateKey)))).toBe(
          true,
        );
        expect(verify(null, message, publicKey, signEd25519(message, seed))).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  it('refuses a signature with any one bit changed, another message and another key', () => {
    const seed = new Uint8Array(32).fill(5);
    const key = ed25519PublicKey(seed);
    const message = new TextEncoder().encode('pay');
    const signature = signEd25519(message, seed);
    expect(verifyEd25519Strict(key, message, signature)).toBe(true);
    for (let bit = 0; bit < 512; bit += 7) {
      const changed = signature.slice();
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(verifyEd25519Strict(key, message, changed), `bit ${bit}`).toBe(false);
    }
    expect(verifyEd25519Strict(key, new TextEncoder().encode('pay!'), signature)).toBe(false);
    expect(verifyEd25519Strict(ed25519PublicKey(new Uint8Array(32)), message, signature)).toBe(false);
  });

  it('refuses wrong lengths without throwing', () => {
    const empty = new Uint8Array();
    expect(verifyEd25519Strict(empty, empty, new Uint8Array(64))).toBe(false);
    expect(verifyEd25519Strict(new Uint8Array(32), empty, new Uint8Array(63))).toBe(false);
    expect(verifyEd25519Strict(new Uint8Array(33), empty, new Uint8Array(65))).toBe(false);
  });
});

describe('points', () => {
  /** All eight points of small order, then their non-canonical spellings (libsodium's block list). */
  const smallOrder = [
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ];
  const nonCanonical = [
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ];

  it.each(smallOrder)('of small order are named: %s', (text) => {
    expect(pointFault(hex(text))).toBe('small_order_point');
  });

  it.each(nonCanonical)('in non-canonical form are named: %s', (text) => {
    expect(pointFault(hex(text))).toBe('non_canonical_point');
  });

  it('outside the curve are named, and real keys pass', () => {
    expect(pointFault(hex('02'.padEnd(64, '0')))).toBe('not_on_curve');
    expect(pointFault(new Uint8Array(31))).toBe('not_on_curve');
    expect(pointFault(ed25519PublicKey(new Uint8Array(32).fill(1)))).toBeUndefined();
  });
});

describe('signature text', () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => 255 - i);
  it('is read as base64url or base64, with or without padding', () => {
    const standard = Buffer.from(bytes).toString('base64');
    const url = Buffer.from(bytes).toString('base64url');
    for (const text of [standard, url, standard.replace(/=+$/, ''), `${url}==`]) {
      expect(parseSignature(text), text).toEqual(bytes);
    }
  });

  it('is refused in any other length or spelling', () => {
    const url = Buffer.from(bytes).toString('base64url');
    const spareBits = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : String.fromCharCode(url.charCodeAt(85) + 1)}`;
    for (const text of [
      '',
      'x',
      spareBits,
      `${url}=`,
      ` ${url}`,
      `${url}\n`,
      url.slice(0, 84),
      Buffer.from(bytes).toString('hex'),
      '-+'.padEnd(86, 'A'),
    ]) {
      expect(parseSignature(text), text).toBeUndefined();
    }
  });
});
