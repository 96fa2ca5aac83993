import { blake2b } from '@noble/hashes/blake2.js';
import { sha256, sha512_256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { crc16Xmodem, crc32 } from '../../addresses/crc.ts';
import {
  BASE32_LOWER,
  BASE32_UPPER,
  BASE64_EITHER,
  decodeBase58,
  decodeBits,
  decoded,
  decodeHex,
  effort,
  endsEvenly,
  FOREIGN,
  HEX_ANY_CASE,
  valueAt,
} from './decode.ts';

/**
 * Whether the part of `text` from `start` to `end` has the checksum of one format. These only sift: what passes is
 * given to the checker of its family, which decides. They must therefore let every valid address through, and may let
 * others through.
 */
export type Sieve = (text: string, start: number, end: number) => boolean;

const HEX_VALUES = HEX_ANY_CASE;
const HIGHEST_HEX_VALUE = 15;
const digits = new Uint8Array(40);
const prefixed = new Uint8Array(64);
const SS58_DOMAIN = Uint8Array.from('SS58PRE', (character) => character.charCodeAt(0));
const SS58_BYTES = 35;
const FILECOIN_CHECKSUM = 4;
const TON_CHECKSUM_START = 34;
/** How many decodings of base58 take as long as one SHA-512/256. */
const DECODINGS_PER_HASH = 8;
const DELEGATED_NAMESPACE = 10;
/** Array of two, tag 24 (encoded CBOR), byte string with its length in the next byte. */
export const BYRON_HEAD: readonly number[] = [0x82, 0xd8, 0x18, 0x58];

/** `0x` and 40 hex digits of both cases whose case is the EIP-55 checksum. */
export const isEip55: Sieve = (text, start) => {
  let hasLower = false;
  let hasUpper = false;
  for (let index = 0; index < digits.length; index += 1) {
    const code = text.charCodeAt(start + 2 + index);
    if ((HEX_VALUES[code] ?? FOREIGN) > HIGHEST_HEX_VALUE) return false;
    hasLower ||= code >= 0x61;
    hasUpper ||= code >= 0x41 && code <= 0x46;
    digits[index] = code | 0x20;
  }
  // One case alone is no checksum, and is not hashed either.
  if (!hasLower || !hasUpper) return false;
  effort.hashed += 1;
  const hash = keccak_256(digits);
  for (let index = 0; index < digits.length; index += 1) {
    const code = text.charCodeAt(start + 2 + index);
    // The highest bit of each nibble requests upper case.
    const isUpper = ((hash[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0;
    if (code >= 0x41 && isUpper !== code <= 0x46) return false;
  }
  return true;
};

/**
 * Base58check of `payloadLength` bytes whose first byte is one of `versions`. The first byte is checked before hashing.
 */
export function base58CheckSieve(
  alphabet: 'bitcoin' | 'ripple',
  payloadLength: number,
  versions: readonly number[],
): Sieve {
  return (text, start, end) => {
    if (decodeBase58(text, start, end, alphabet, payloadLength + 4) !== payloadLength + 4) return false;
    if (!versions.includes(decoded[0] ?? FOREIGN)) return false;
    effort.hashed += 1;
    return matches(sha256(sha256(decoded.subarray(0, payloadLength))), 0, payloadLength, 4);
  };
}

/** Polkadot: prefix byte 0, 32 bytes, two bytes of BLAKE2b-512. */
export const isPolkadotSs58: Sieve = (text, start, end) => {
  if (decodeBase58(text, start, end, 'bitcoin', SS58_BYTES) !== SS58_BYTES || decoded[0] !== 0) return false;
  effort.hashed += 1;
  prefixed.set(SS58_DOMAIN);
  prefixed.set(decoded.subarray(0, SS58_BYTES - 2), SS58_DOMAIN.length);
  const hash = blake2b(prefixed.subarray(0, SS58_DOMAIN.length + SS58_BYTES - 2));
  return matches(hash, 0, SS58_BYTES - 2, 2);
};

/** Cardano Byron: CBOR of a tagged byte string and its CRC-32, a number without leading zero bytes. */
export const isByron: Sieve = (text, start, end) => {
  const length = decodeBase58(text, start, end, 'bitcoin');
  if (length < BYRON_HEAD.length || !BYRON_HEAD.every((byte, index) => byte === decoded[index])) return false;
  const payloadStart = BYRON_HEAD.length + 1;
  const payloadEnd = payloadStart + (decoded[BYRON_HEAD.length] ?? 0);
  if (payloadEnd >= length) return false;
  const isOneByte = (decoded[payloadEnd] ?? 0) < 24;
  let stated = 0;
  for (let index = isOneByte ? payloadEnd : payloadEnd + 1; index < length; index += 1) {
    stated = stated * 256 + (decoded[index] ?? 0);
  }
  return stated === crc32(decoded, payloadStart, payloadEnd);
};

/** Stellar StrKey: base32 with a CRC-16 in its last two bytes, low byte first. */
export const isStrKey: Sieve = (text, start, end) => {
  const length = decodeBits(text, start, end, BASE32_UPPER, 5);
  if (length < 3) return false;
  const stated = (decoded[length - 2] ?? 0) | ((decoded[length - 1] ?? 0) << 8);
  return crc16Xmodem(decoded, 0, length - 2) === stated;
};

export const isAlgorand: Sieve = (text, start, end) => {
  if (!endsEvenly(text, start, end, BASE32_UPPER, 5)) return false;
  if (decodeBits(text, start, end, BASE32_UPPER, 5) !== 36) return false;
  // One word in fifty of any prose begins a stretch of this length and alphabet; digits make it resemble an address.
  if (hasDigit(text, start, end)) effort.hashed += 1;
  else effort.decoded += DECODINGS_PER_HASH;
  return matches(sha512_256(decoded.subarray(0, 32)), 28, 32, 4);
};

function hasDigit(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (text.charCodeAt(index) < 0x41) return true;
  return false;
}

/** Filecoin f1, f2 and f3: the protocol byte and the payload, four bytes of BLAKE2b. */
export const isFilecoin: Sieve = (text, start, end) => {
  if (!endsEvenly(text, start + 2, end, BASE32_LOWER, 5)) return false;
  const length = decodeBits(text, start + 2, end, BASE32_LOWER, 5) - FILECOIN_CHECKSUM;
  if (length !== 20 && length !== 48) return false;
  effort.hashed += 1;
  prefixed[0] = text.charCodeAt(start + 1) - 0x30;
  prefixed.set(decoded.subarray(0, length), 1);
  return isFilecoinChecksum(length + 1, length);
};

/** Filecoin f410: protocol 4, namespace 10 and 20 bytes. */
export const isFilecoinDelegated: Sieve = (text, start, end) => {
  if (decodeBits(text, start + 5, end, BASE32_LOWER, 5) !== 20 + FILECOIN_CHECKSUM) return false;
  effort.hashed += 1;
  prefixed[0] = 4;
  prefixed[1] = DELEGATED_NAMESPACE;
  prefixed.set(decoded.subarray(0, 20), 2);
  return isFilecoinChecksum(22, 20);
};

function isFilecoinChecksum(covered: number, checksumStart: number): boolean {
  const hash = blake2b(prefixed.subarray(0, covered), { dkLen: FILECOIN_CHECKSUM });
  return matches(hash, 0, checksumStart, FILECOIN_CHECKSUM);
}

/** TON in its user-friendly form: 36 bytes, CRC-16 in the last two. */
export const isTon: Sieve = (text, start, end) => {
  // Workchain 0 or -1, as far as the third character determines it.
  const third = valueAt(text, start + 2, BASE64_EITHER);
  if (third > 3 && third < 60) return false;
  if (decodeBits(text, start, end, BASE64_EITHER, 6) !== TON_CHECKSUM_START + 2) return false;
  const stated = ((decoded[TON_CHECKSUM_START] ?? 0) << 8) | (decoded[TON_CHECKSUM_START + 1] ?? 0);
  return crc16Xmodem(decoded, 0, TON_CHECKSUM_START) === stated;
};

/** Internet Computer account identifier: CRC-32 in front of 28 bytes. */
export const isAccountIdentifier: Sieve = (text, start, end) =>
  decodeHex(text, start, end) === 32 && hasCrcInFront(32);

/** Whether the first four bytes of `decoded` are the CRC-32 of those behind them: accounts and principals. */
export function hasCrcInFront(length: number): boolean {
  return length > 4 && crc32(decoded, 4, length) === bigEndian32(0);
}

/** Whether `count` bytes of the hash are those that `decoded` states. */
function matches(hash: Uint8Array, at: number, stated: number, count: number): boolean {
  for (let index = 0; index < count; index += 1) {
    if (hash[at + index] !== decoded[stated + index]) return false;
  }
  return true;
}

function bigEndian32(offset: number): number {
  const high = ((decoded[offset] ?? 0) << 24) | ((decoded[offset + 1] ?? 0) << 16);
  return (high | ((decoded[offset + 2] ?? 0) << 8) | (decoded[offset + 3] ?? 0)) >>> 0;
}
