import { base58, base58xrp } from '@scure/base';
import { RIPPLE_ALPHABET } from '../../addresses/base58check.ts';
import { BASE32_ALPHABET, BASE58_ALPHABET, BECH32_ALPHABET } from '../../addresses/text.ts';

/** Value of each ASCII character in an alphabet; `FOREIGN` where it does not occur. */
export type CharacterTable = Uint8Array;

export const FOREIGN = 255;

export const BASE32_UPPER = tableOf(BASE32_ALPHABET);
export const BASE32_ANY_CASE = tableOf(BASE32_ALPHABET, BASE32_ALPHABET.toLowerCase());
export const BASE32_LOWER = tableOf(BASE32_ALPHABET.toLowerCase());
export const BECH32_ANY_CASE = tableOf(BECH32_ALPHABET, BECH32_ALPHABET.toUpperCase());
export const HEX_ANY_CASE = tableOf('0123456789abcdef', '0123456789ABCDEF');
/** Both base64 alphabets at once; the checker of the family refuses a mixture of them. */
export const BASE64_EITHER = tableOf(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
);
const BASE58 = tableOf(BASE58_ALPHABET);
const RIPPLE = tableOf(RIPPLE_ALPHABET);

/** Bytes of the last decoding; every decoder here writes to it, so that a near-address costs no memory. */
export const decoded = new Uint8Array(128);

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

/** Base58 with the common or the XRP Ledger alphabet; the length of the bytes, or -1. */
export function decodeBase58(
  text: string,
  start: number,
  end: number,
  alphabet: 'bitcoin' | 'ripple',
): number {
  const table = alphabet === 'bitcoin' ? BASE58 : RIPPLE;
  // Looked at first because the decoder throws on a foreign character, which costs more than all the rest.
  for (let index = start; index < end; index += 1) {
    if (valueAt(text, index, table) === FOREIGN) return -1;
  }
  const slice = text.slice(start, end);
  const bytes = alphabet === 'bitcoin' ? base58.decode(slice) : base58xrp.decode(slice);
  if (bytes.length > decoded.length) return -1;
  decoded.set(bytes);
  return bytes.length;
}

function tableOf(...alphabets: readonly string[]): CharacterTable {
  const table = new Uint8Array(128).fill(FOREIGN);
  for (const alphabet of alphabets) {
    for (let value = 0; value < alphabet.length; value += 1) table[alphabet.charCodeAt(value)] = value;
  }
  return table;
}
