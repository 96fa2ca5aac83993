import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ID_PREFIXES, idTimeMs, isId, newId } from './ids.ts';

const bytes = (fill: number) => (length: number) => new Uint8Array(length).fill(fill);
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('ids', () => {
  it('encode known times and randomness to known text', () => {
    // The time part is the example of the public ULID specification: 1469918176385 is 01ARYZ6S41.
    expect(newId('pr', 1469918176385, bytes(0))).toBe('pr_01ARYZ6S410000000000000000');
    expect(newId('con', 2 ** 48 - 1, bytes(0xff))).toBe('con_7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    expect(newId('evt', 0, (length) => Uint8Array.from({ length }, (_, i) => i))).toBe(
      'evt_0000000000000G40R40M30E209',
    );
  });

  it('have exactly the prefixes of the contract, and four internal ones', () => {
    expect(Object.values(ID_PREFIXES).join('_ ')).toBe(
      'mer_ dom_ rcp_ rcv_ evd_ agt_ crd_ wlt_ dev_ cky_ inv_ pair_ con_ ctx_ pr_ evt_ whe_ whd_ key_ pol_ ap_ aud_ psk_ apr_ chg_ acc_ ses_ mlj_ cal',
    );
  });

  it('sort as text in the order of their times', () => {
    fc.assert(
      fc.property(times, times, tenBytes, tenBytes, (a, b, randomA, randomB) => {
        fc.pre(a < b);
        expect(newId('pr', a, () => randomA) < newId('pr', b, () => randomB)).toBe(true);
      }),
    );
  });

  it('are recognised with their own prefix only, and give their time back', () => {
    fc.assert(
      fc.property(times, tenBytes, (time, random) => {
        const id = newId('ap', time, () => random);
        expect(isId('ap', id)).toBe(true);
        expect(isId('pr', id)).toBe(false);
        expect(idTimeMs(id)).toBe(time);
      }),
    );
  });

  it('keep every bit of the randomness', () => {
    fc.assert(
      fc.property(tenBytes, tenBytes, (a, b) => {
        fc.pre(a.join() !== b.join());
        expect(newId('pr', 1, () => a)).not.toBe(newId('pr', 1, () => b));
      }),
    );
  });

  it('refuse malformed text', () => {
    const good = newId('mer', 1, bytes(1));
    const bad = [
      `${good}0`,
      good.slice(0, -1),
      good.toLowerCase(),
      good.replace('mer_0', 'mer_8'),
      `${good}\n`,
      'mer_',
      5,
    ];
    for (const value of [...bad, ...['I', 'L', 'O', 'U', '-'].map((c) => good.slice(0, -1) + c)]) {
      expect(isId('mer', value), String(value)).toBe(false);
    }
  });

  it('refuse times that do not fit and short randomness', () => {
    for (const time of [-1, 1.5, 2 ** 48, Number.NaN])
      expect(() => newId('pr', time, bytes(0))).toThrow(RangeError);
    expect(() => newId('pr', 1, () => new Uint8Array(9))).toThrow(RangeError);
  });
});
