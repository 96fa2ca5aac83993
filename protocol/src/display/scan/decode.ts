import { RIPPLE_ALPHABET } from '../../addresses/base58check.ts';
import { BASE32_ALPHABET, BASE58_ALPHABET } from '../../addresses/checker.ts';

/** Value of each ASCII character in an alphabet; `FOREIGN` where it does not occur. */
type CharacterTable = Uint8Array;

export const FOREIGN = 255;

export const BASE32_UPPER = tableOf(BASE32_ALPHABET);
export const BASE32_ANY_CASE = tableOf(BASE32_ALPHABET, BASE32_ALPHABET.toLowerCase());
export const BASE32_LOWER = tableOf(BASE32_ALPHABET.toLowerCase());
export const HEX_ANY_CASE = tableOf('0123456789abcdef', '0123456789ABCDEF');
/** Accepts both base64 alphabets; the family's checker refuses a mixture of them. */
export const BASE64_EITHER = tableOf(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
);
const BASE58 = tableOf(BASE58_ALPHABET);
const RIPPLE = tableOf(RIPPLE_ALPHABET);

/** Bytes of the last decoding; every decoder here writes to it, so that a near-address costs no memory. */
export const decoded = new Uint8Array(128);

/**
 * What the sieves have done so far: candidates that were hashed, which costs most, and decodings of base58. A search
 * compares both with its limits, because groups can be put together in more ways than a text has characters.
 */
export const effort = { hashed: 0, decoded: 0 };

/** Where a search gives up. */
export interface EffortLimit {
  hashed: number;
  decoded: number;
}

export function isBeyond(limit: EffortLimit): boolean {
  return effort.hashed > limit.hashed || effort.decoded > limit.decoded;
}

export function valueAt(text: string, index: number, table: CharacterTable): number {
  return table[text.charCodeAt(index)] ?? FOREIGN;
}

/**
 * Regroups characters of `width` bits into bytes of `decoded` and returns how many; -1 when a character is foreign, the text too
 * long, a character superfluous or a left-over bit set.
 */
export function decodeBits(
  text: string,
  start: number,
  end: number,
  table: CharacterTable,
  width: number,
): number {
  if ((end - start) * width > decoded.length * 8) return -1;
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (let index = start; index < end; index += 1) {
    const value = valueAt(text, index, table);
    if (value === FOREIGN) return -1;
    buffer = ((buffer << width) | value) & 0xffff;
    bits += width;
    if (bits < 8) continue;
    bits -= 8;
    decoded[length] = buffer >> bits;
    length += 1;
  }
  const leftOver = buffer & ((1 << bits) - 1);
  return bits >= width || leftOver !== 0 ? -1 : length;
}

/** Whether the bits of the last character that fill no byte are zero: text that is no encoding mostly fails here already. */
export function endsEvenly(
  text: string,
  start: number,
  end: number,
  table: CharacterTable,
  width: number,
): boolean {
  const leftOver = ((end - start) * width) % 8;
  return (valueAt(text, end - 1, table) & ((1 << leftOver) - 1)) === 0;
}

/** Hex digits in either case to bytes of `decoded`; how many, or -1. */
export function decodeHex(text: string, start: number, end: number): number {
  if (end - start > 2 * decoded.length || (end - start) % 2 !== 0) return -1;
  let length = 0;
  for (let index = start; index < end; index += 2) {
    const high = valueAt(text, index, HEX_ANY_CASE);
    const low = valueAt(text, index + 1, HEX_ANY_CASE);
    if (high === FOREIGN || low === FOREIGN) return -1;
    decoded[length] = (high << 4) | low;
    length += 1;
  }
  return length;
}

/** log 58 / log 256: bytes per digit. */
const BYTES_PER_DIGIT = 0.732247624390949;
const LIMB = 2 ** 24;
/** The number so far, lowest part first; a limb times four digits is still exact. */
const limbs = new Float64Array(64);

/**
 * Base58 with the common or the XRP Ledger alphabet; the length of the bytes, or -1. When only `wanted` bytes are of use,
 * a text that has another number of them is mostly known by its length and not decoded.
 */
export function decodeBase58(
  text: string,
  start: number,
  end: number,
  alphabet: 'bitcoin' | 'ripple',
  wanted?: number,
): number {
  const table = alphabet === 'bitcoin' ? BASE58 : RIPPLE;
  let at = start;
  while (at < end && valueAt(text, at, table) === 0) at += 1;
  const zeros = at - start;
  const atMost = Math.ceil((end - at) * BYTES_PER_DIGIT);
  if (zeros + atMost > decoded.length) return -1;
  if (wanted !== undefined) {
    const atLeast = end === at ? 0 : Math.floor((end - at - 1) * BYTES_PER_DIGIT) + 1;
    if (wanted < zeros + atLeast || wanted > zeros + atMost) return -1;
  }
  let count = 0;
  while (at < end) {
    let carry = 0;
    let factor = 1;
    for (const stop = Math.min(at + 4, end); at < stop; at += 1) {
      const value = valueAt(text, at, table);
      if (value === FOREIGN) return -1;
      carry = carry * 58 + value;
      factor *= 58;
    }
    for (let limb = 0; limb < count; limb += 1) {
      const sum = (limbs[limb] ?? 0) * factor + carry;
      carry = Math.floor(sum / LIMB);
      limbs[limb] = sum - carry * LIMB;
    }
    if (carry > 0) {
      limbs[count] = carry;
      count += 1;
    }
  }
  effort.decoded += 1;
  return zeros + writeLimbs(zeros, count);
}

/** Writes the number to `decoded`, highest byte first, behind the zeros; returns its length in bytes. */
function writeLimbs(zeros: number, count: number): number {
  decoded.fill(0, 0, zeros);
  if (count === 0) return 0;
  const top = limbs[count - 1] ?? 0;
  const length = 3 * (count - 1) + (top > 0xffff ? 3 : top > 0xff ? 2 : 1);
  let place = zeros + length;
  for (let limb = 0; limb < count; limb += 1) {
    let rest = limbs[limb] ?? 0;
    for (let byte = 0; byte < 3 && place > zeros; byte += 1) {
      place -= 1;
      decoded[place] = rest & 0xff;
      rest >>= 8;
    }
  }
  return length;
}

function tableOf(...alphabets: readonly string[]): CharacterTable {
  const table = new Uint8Array(128).fill(FOREIGN);
  for (const alphabet of alphabets) {
    for (let value = 0; value < alphabet.length; value += 1) table[alphabet.charCodeAt(value)] = value;
  }
  return table;
}
