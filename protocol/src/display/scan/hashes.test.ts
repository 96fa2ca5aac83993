import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blake2bHead } from './blake2b-block.ts';
import { keccakNibbles } from './keccak-digits.ts';
import { sha256TwiceHead } from './sha256-twice.ts';

const RUNS = { numRuns: 2000 };

describe('the hashes of the address scan', () => {
  it('SHA-256 twice equals the audited implementation for every length of one block', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 55 }), (bytes) => {
        const expected = new DataView(sha256(sha256(bytes)).buffer).getInt32(0);
        expect(sha256TwiceHead(bytes, bytes.length)).toBe(expected);
      }),
      RUNS,
    );
  });

  it('BLAKE2b equals the audited implementation for every length of one block and both digest lengths', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 128 }), fc.constantFrom(4, 64), (bytes, dkLen) => {
        const expected = new DataView(blake2b(bytes, { dkLen }).buffer).getInt32(0, true);
        expect(blake2bHead(bytes, bytes.length, dkLen)).toBe(expected);
      }),
      RUNS,
    );
  });

  it('Keccak-256 equals the audited implementation for 40 digits', () => {
    const digits = fc.uint8Array({ minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(digits, (bytes) => {
        const expected = [...keccak_256(bytes).subarray(0, 20)].flatMap((byte) => [byte >> 4, byte & 15]);
        expect([...keccakNibbles(bytes)]).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('read no more than the stated length and refuse what does not fit a block', () => {
    const bytes = Uint8Array.from({ length: 200 }, (_, index) => index);
    expect(sha256TwiceHead(bytes, 21)).toBe(sha256TwiceHead(bytes.subarray(0, 21), 21));
    expect(blake2bHead(bytes, 21, 4)).toBe(blake2bHead(bytes.subarray(0, 21), 21, 4));
    expect(() => sha256TwiceHead(bytes, 56)).toThrow(RangeError);
    expect(() => blake2bHead(bytes, 129, 4)).toThrow(RangeError);
  });
});
