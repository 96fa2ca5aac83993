import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as tokens from './tokens.ts';
import {
  checkToken,
  formatToken,
  formatWebhookSecret,
  newToken,
  parseToken,
  parseWebhookSecret,
  TOKEN_PREFIXES,
} from './tokens.ts';

const kinds = Object.keys(TOKEN_PREFIXES) as tokens.TokenKind[];
const anyKind = fc.constantFrom(...kinds);
const anyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('tokens', () => {
  it('have the prefixes of the contract', () => {
    expect(Object.values(TOKEN_PREFIXES).toSorted()).toEqual(
      'svc_at_ svc_ck_ svc_cl_ svc_ct_ svc_dt_ svc_gr_ svc_key_test_ svc_lc_ svc_ml_ svc_ms_ svc_pc_ svc_rc_ svc_st_'.split(
        ' ',
      ),
    );
  });

  it('end in the CRC-32 of everything before it', () => {
    const token = formatToken('agent', new Uint8Array(32).fill(7));
    const value = [...token.slice(-6)].reduce((sum, c) => sum * 62 + BASE62.indexOf(c), 0);
    expect(value).toBe(crc32(token.slice(0, -6)));
  });

  it('keep a fixed width at both ends of the range', () => {
    for (const fill of [0, 255]) {
      const token = formatToken('connection', new Uint8Array(32).fill(fill));
      expect(token).toMatch(/^svc_ct_[0-9A-Za-z]{49}$/);
      expect(parseToken(token)).toEqual({ kind: 'connection', bytes: new Uint8Array(32).fill(fill) });
    }
  });

  it('parse back to what was formatted', () => {
    fc.assert(
      fc.property(anyKind, anyBytes, (kind, bytes) => {
        expect(parseToken(formatToken(kind, bytes))).toEqual({ kind, bytes });
      }),
    );
  });

  it('are refused when any one character is changed to anything', () => {
    fc.assert(
      fc.property(
        anyKind,
        anyBytes,
        fc.nat(),
        fc.oneof(fc.constantFrom(...BASE62, '_'), fc.string({ unit: 'binary' })),
        (kind, bytes, seed, other) => {
          const token = formatToken(kind, bytes);
          const at = seed % token.length;
          fc.pre(other !== token[at]);
          expect(parseToken(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are refused for every possible change of every position of one token', () => {
    const token = formatToken(
      'api_key',
      Uint8Array.from({ length: 32 }, (_, i) => i * 7),
    );
    for (let at = 0; at < token.length; at += 1) {
      for (const other of `${BASE62}_- \n`) {
        if (other !== token[at])
          expect(parseToken(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
      }
    }
  });

  it('are refused when the body is above 2^256 - 1, whatever its checksum', () => {
    const spell = (value: bigint, length: number): string =>
      length === 0 ? '' : spell(value / 62n, length - 1) + BASE62.charAt(Number(value % 62n));
    const tokenOf = (body: bigint): string => {
      const unchecked = `svc_at_${spell(body, 43)}`;
      return unchecked + spell(BigInt(crc32(unchecked)), 6);
    };
    const end = 2n ** 256n;
    expect(parseToken(tokenOf(end - 1n))?.bytes).toEqual(new Uint8Array(32).fill(255));
    for (const body of [end, end + 1n, 62n ** 43n - 1n]) {
      expect(parseToken(tokenOf(body))).toBeUndefined();
      expect(checkToken(tokenOf(body))).toBeUndefined();
    }
  });

  it('are refused when shortened, lengthened, swapped in kind or wrapped in space', () => {
    const token = formatToken('claim', new Uint8Array(32).fill(9));
    for (const bad of [
      '',
      'svc_',
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      token.slice(7),
      token.replace('_cl_', '_ct_'),
      token.replace('_cl_', '_xx_'),
    ]) {
      expect(parseToken(bad), bad).toBeUndefined();
    }
  });

  it('come from the injected randomness, exactly 32 bytes of it', () => {
    const asked: number[] = [];
    const token = newToken('device', (length) => {
      asked.push(length);
      return new Uint8Array(length).fill(3);
    });
    expect(asked).toEqual([32]);
    expect(parseToken(token)?.bytes).toEqual(new Uint8Array(32).fill(3));
    expect(() => newToken('device', () => new Uint8Array(16))).toThrow(RangeError);
  });

  it('name their kind even when damaged', () => {
    expect(tokens.tokenKindOf('svc_key_test_x')).toBe('api_key');
    expect(tokens.tokenKindOf('svc_zz_x')).toBeUndefined();
  });
});

describe('webhook secrets', () => {
  it('are whsec_ and the standard base64 of exactly 32 bytes', () => {
    const bytes = new Uint8Array(32).fill(0xfb);
    expect(formatWebhookSecret(bytes)).toBe(`whsec_${Buffer.from(bytes).toString('base64')}`);
    expect(() => formatWebhookSecret(new Uint8Array(31))).toThrow(RangeError);
  });

  it('parse back to what was formatted', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(parseWebhookSecret(formatWebhookSecret(bytes))).toEqual(bytes);
      }),
    );
  });

  it('are refused in every other spelling', () => {
    const zero = formatWebhookSecret(new Uint8Array(32));
    const bad = [
      zero.slice(0, -1),
      zero.slice(6),
      zero.replace('A=', 'B='),
      `${zero}\n`,
      `whsec_${Buffer.alloc(31).toString('base64')}`,
      `whsec_${Buffer.alloc(33).toString('base64')}`,
      formatWebhookSecret(new Uint8Array(32).fill(0xfb)).replaceAll('+', '-').replaceAll('/', '_'),
    ];
    for (const text of bad) expect(parseWebhookSecret(text), text).toBeUndefined();
  });
});
