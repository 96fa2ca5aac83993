// Slow: tries every checker with thousands of random texts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKSUMMED_ADDRESSES } from '../../test/address-generators.ts';
import type { AddressChecker } from './checker.ts';
import * as addresses from './index.ts';
import { ADDRESS_KINDS, checkAddressOfKind } from './kinds.ts';

const CHECKERS = Object.entries(addresses).filter(
  (entry): entry is [string, AddressChecker] =>
    /^check[A-Z]\w*(Address|Account)$/.test(entry[0]) && typeof entry[1] === 'function',
);

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(...'01:-_+/.%abfqrtzEGMQUAKT\u212a\u0130\ud800\u0000 '),
    maxLength: 120,
  }),
  fc.constantFrom('', ':', '-', '1', '0:', '-1:', 'addr1', 'f', 'f4', 'tz1', '\u212a', 'x'.repeat(100_000)),
  fc
    .tuple(
      fc.oneof(...Object.values(CHECKSUMMED_ADDRESSES)),
      fc.nat(),
      fc.string({ unit: 'binary', maxLength: 2 }),
    )
    .map(([address, place, change]) => {
      const at = place % address.length;
      return address.slice(0, at) + change + address.slice(at + 1);
    }),
);

describe('address checkers', () => {
  it('are all found by this test', () => {
    expect(CHECKERS.length).toBeGreaterThanOrEqual(ADDRESS_KINDS.length);
  });

  it.each(CHECKERS)('%s never throws, and a refusal always has a reason', (_name, check) => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const result = check(text);
        if (result.ok) expect(result.address).toMatch(/^[\x21-\x7e]+$/);
        else expect(result.reason.length).toBeGreaterThan(10);
      }),
      { numRuns: 300 },
    );
  });

  it.each(
    Object.entries(CHECKSUMMED_ADDRESSES).filter(
      ([name]) => !/contract|X-address/.test(name) || /Cosmos/.test(name),
    ),
  )('accept every generated %s address in exactly the form they store', (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (text) => {
        const accepted = ADDRESS_KINDS.map((kind) => [kind, checkAddressOfKind(kind, text)] as const).filter(
          ([, check]) => check.ok,
        );
        expect(accepted.length).toBeGreaterThan(0);
        for (const [kind, check] of accepted) {
          if (check.ok) expect(checkAddressOfKind(kind, check.address)).toEqual(check);
        }
      }),
      { numRuns: 50 },
    );
  });
});
