import { bestTimeMs } from '@payassent/proof/runner/best-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as amounts from './amounts.ts';
import {
  addDecimals,
  compareDecimals,
  fromBaseUnits,
  isAmount,
  normaliseDecimal,
  subtractDecimals,
  toBaseUnits,
} from './amounts.ts';

/** Decimals made from their parts, with trailing zeros and zero values included. */
const decimals = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10n ** 40n }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 30 }),
  )
  .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));

const SCALE = 30;
/** An independent reading of a decimal: an integer count of 10^-30. */
const reference = (decimal: string): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole) * 10n ** BigInt(SCALE) + BigInt(fraction.padEnd(SCALE, '0'));
};

describe('amount grammar', () => {
  it('accepts exact positive decimals byte for byte', () => {
    for (const text of [
      '1',
      '10',
      '0.1',
      '0.10',
      '12.50',
      '0.00000000000001',
      '9'.repeat(335),
      `0.${'0'.repeat(332)}1`,
    ]) {
      expect(isAmount(text), text).toBe(true);
    }
  });

  it('refuses signs, exponents, leading zeros, empty parts, zero, other digits and every non-string', () => {
    const bad = [
      '',
      '0',
      '0.0',
      '00',
      '01',
      '1.',
      '.5',
      '+1',
      '-1',
      '1e3',
      '1E3',
      '1,5',
      ' 1',
      '1 ',
      '1\n',
      '0x1',
      'NaN',
      'Infinity',
      '1..2',
      '1.2.3',
      '١',
      '１',
      '1_000',
      '9'.repeat(336),
    ];
    for (const value of [...bad, 1, 1n, null, undefined, ['1'], { toString: () => '1' }]) {
      expect(isAmount(value), String(value)).toBe(false);
    }
  });

  it('is the same in the pattern for JSON Schema', () => {
    const pattern = new RegExp(amounts.AMOUNT_PATTERN, 'u');
    const near = fc.string({ unit: fc.constantFrom(...'0019..e-+ \n'), maxLength: 8 });
    fc.assert(
      fc.property(near, (text) => {
        expect(pattern.test(text)).toBe(isAmount(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('decimal arithmetic', () => {
  it('agrees with BigInt on comparison, sum, difference and minimum', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [x, y] = [reference(a), reference(b)];
        expect(compareDecimals(a, b)).toBe(x < y ? -1 : x > y ? 1 : 0);
        expect(reference(addDecimals(a, b))).toBe(x + y);
        expect(reference(amounts.minDecimal(a, b))).toBe(x < y ? x : y);
        const difference = subtractDecimals(a, b);
        if (x < y) expect(difference).toBeUndefined();
        else expect(reference(difference ?? 'missing')).toBe(x - y);
        expect(amounts.isZeroDecimal(a)).toBe(x === 0n);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives results in the grammar without trailing zeros', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        for (const result of [
          addDecimals(a, b),
          amounts.subtractDecimalsOrZero(a, b),
          normaliseDecimal(a),
          amounts.minDecimal(a, b),
        ]) {
          expect(result).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
        }
      }),
    );
  });

  it('computes known sums', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('999.99', '0.01')).toBe('1000');
    expect(addDecimals('0', '0.00')).toBe('0');
    expect(subtractDecimals('1', '0.0000001')).toBe('0.9999999');
    expect(subtractDecimals('5.50', '5.5')).toBe('0');
    expect(amounts.subtractDecimalsOrZero('1', '2')).toBe('0');
    expect(amounts.minDecimal('10.50', '9.900', '11')).toBe('9.9');
    expect(compareDecimals('10', '9.99')).toBe(1);
    expect(compareDecimals('1.10', '1.1')).toBe(0);
  });

  it('refuses what is not a decimal instead of guessing', () => {
    for (const bad of ['', '1e3', '-1', '01', 'x']) {
      expect(() => addDecimals(bad, '1')).toThrow(RangeError);
      expect(() => addDecimals('1', bad)).toThrow(RangeError);
      expect(() => compareDecimals('1', bad)).toThrow(RangeError);
      expect(() => normaliseDecimal(bad)).toThrow(RangeError);
    }
  });
});

describe('precision and base units', () => {
  it('counts fraction digits as written', () => {
    expect(amounts.fractionDigits('1')).toBe(0);
    expect(amounts.fractionDigits('1.50')).toBe(2);
    expect(amounts.fitsPrecision('1.1234567', 7)).toBe(true);
    expect(amounts.fitsPrecision('1.12345670', 7)).toBe(false);
    expect(amounts.fitsPrecision('5', 0)).toBe(true);
  });

  it('converts known amounts', () => {
    expect(toBaseUnits('1.5', 7)).toBe(15_000_000n);
    expect(toBaseUnits('0.0000001', 7)).toBe(1n);
    expect(toBaseUnits('0.00000001', 7)).toBeUndefined();
    expect(toBaseUnits('3', 0)).toBe(3n);
    expect(fromBaseUnits(1n, 18)).toBe('0.000000000000000001');
    expect(fromBaseUnits(100n, 2)).toBe('1');
    expect(fromBaseUnits(0n, 7)).toBe('0');
    expect(fromBaseUnits(70n, 0)).toBe('70');
    expect(() => fromBaseUnits(-1n, 2)).toThrow(RangeError);
  });

  it('comes back from base units unchanged in value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n }),
        fc.integer({ min: 0, max: 255 }),
        (units, scale) => {
          expect(toBaseUnits(fromBaseUnits(units, scale), scale)).toBe(units);
        },
      ),
    );
  });
});

describe('cost', () => {
  it('stays linear on 100,000 characters', () => {
    const long = `${'9'.repeat(50_000)}.${'9'.repeat(49_999)}`;
    const hostile = [
      '0'.repeat(100_000),
      `1.${'0'.repeat(100_000)}x`,
      `${'1'.repeat(100_000)}.`,
      `0.${'0'.repeat(100_000)}`,
    ];
    for (const work of [
      () => compareDecimals(long, long.replace(/9$/, '8')),
      () => addDecimals(long, long),
      () => subtractDecimals(long, '0.1'),
      () => toBaseUnits(long, 50_000),
      () => hostile.map(isAmount),
      () => hostile.map(amounts.isDecimal),
      () => hostile.map((text) => new RegExp(amounts.AMOUNT_PATTERN, 'u').test(text)),
      () => normaliseDecimal(`1.${'0'.repeat(100_000)}`),
    ]) {
      // A quadratic walk of this length takes seconds; a linear one a few milliseconds.
      expect(bestTimeMs(work, 250)).toBeLessThan(250);
    }
  });
});
