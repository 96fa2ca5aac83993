import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as base64 from './base64.ts';

const bytes = fc.uint8Array({ maxLength: 100 });

describe('strict base64', () => {
  it('agrees with Node on every value, in both alphabets', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const buffer = Buffer.from(value);
        expect(base64.encodeBase64(value)).toBe(buffer.toString('base64'));
        expect(base64.encodeBase64Url(value)).toBe(buffer.toString('base64url'));
        expect(base64.decodeBase64(buffer.toString('base64'))).toEqual(value);
        expect(base64.decodeBase64Url(buffer.toString('base64url'))).toEqual(value);
        for (const text of [buffer.toString('base64'), buffer.toString('base64url')]) {
          expect(base64.decodeAnyBase64(text)).toEqual(value);
          expect(base64.decodeAnyBase64(text.replace(/=+$/, ''))).toEqual(value);
        }
      }),
    );
  });

  it('accepts exactly one text per value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'AQgwEx-_+/= \n'), maxLength: 8 }), (text) => {
        const url = base64.decodeBase64Url(text);
        if (url !== undefined) expect(Buffer.from(url).toString('base64url')).toBe(text);
        const standard = base64.decodeBase64(text);
        if (standard !== undefined) expect(Buffer.from(standard).toString('base64')).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses spare bits, white space, mixed alphabets and wrong padding', () => {
    for (const text of ['QR', 'Q', 'Q===', 'QQ=', 'QQ== ', ' QQ==', 'Q\nQ=', '-+8=', 'é', 'QQ==QQ==']) {
      expect(base64.decodeAnyBase64(text), text).toBeUndefined();
    }
    expect(base64.decodeBase64('QQ')).toBeUndefined();
    expect(base64.decodeBase64Url('QQ==')).toBeUndefined();
    expect(base64.decodeBase64Url('+w')).toBeUndefined();
  });
});
