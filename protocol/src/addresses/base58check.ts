import { sha256 } from '@noble/hashes/sha2.js';
import { base58, base58xrp } from '@scure/base';
import { BASE58_ALPHABET, equalBytes, foreignCharacter } from './text.ts';

export const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

const CHECKSUM_BYTES = 4;

type Base58Decoding = { ok: true; payload: Uint8Array } | { ok: false; reason: string };

interface Base58Variant {
  readonly alphabet: string;
  readonly name: string;
  readonly decode: (text: string) => Uint8Array;
}

const BITCOIN: Base58Variant = {
  alphabet: BASE58_ALPHABET,
  name: 'base58',
  decode: (text) => base58.decode(text),
};
const RIPPLE: Base58Variant = {
  alphabet: RIPPLE_ALPHABET,
  name: 'XRP Ledger base58',
  decode: (text) => base58xrp.decode(text),
};

/** Decodes and checks the four checksum bytes; decoding is quadratic, so the caller bounds the length first. */
export function decodeBase58Check(text: string): Base58Decoding {
  return decodeWithChecksum(text, BITCOIN);
}

export function decodeRippleBase58Check(text: string): Base58Decoding {
  return decodeWithChecksum(text, RIPPLE);
}

export function encodeBase58Check(payload: Uint8Array): string {
  return base58.encode(withChecksum(payload));
}

export function encodeRippleBase58Check(payload: Uint8Array): string {
  return base58xrp.encode(withChecksum(payload));
}

/** Plain base58, without a checksum. */
export function decodeBase58(text: string): Base58Decoding {
  const foreign = foreignCharacter(text, BASE58_ALPHABET, 'base58');
  if (foreign !== undefined) return { ok: false, reason: foreign };
  return { ok: true, payload: base58.decode(text) };
}

function decodeWithChecksum(text: string, variant: Base58Variant): Base58Decoding {
  const foreign = foreignCharacter(text, variant.alphabet, variant.name);
  if (foreign !== undefined) return { ok: false, reason: foreign };
  const bytes = variant.decode(text);
  if (bytes.length <= CHECKSUM_BYTES)
    return { ok: false, reason: 'The address is too short; copy it whole.' };
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!equalBytes(checksumOf(payload), bytes.subarray(-CHECKSUM_BYTES))) {
    return {
      ok: false,
      reason: 'The checksum does not match: a character is wrong, missing or added. Copy the address again.',
    };
  }
  return { ok: true, payload };
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function withChecksum(payload: Uint8Array): Uint8Array {
  return Uint8Array.from([...payload, ...checksumOf(payload)]);
}
