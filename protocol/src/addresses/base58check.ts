import { sha256 } from '@noble/hashes/sha2.js';
import { base58, base58xrp } from '@scure/base';
import { BASE58_ALPHABET, equalBytes, needAlphabet, refuse } from './checker.ts';

export const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

const CHECKSUM_BYTES = 4;

/** Decodes and checks the four checksum bytes; decoding is quadratic, so the caller bounds the length first. */
export function readBase58Check(text: string): Uint8Array {
  return withoutChecksum(readBase58(text));
}

export function readRippleBase58Check(text: string): Uint8Array {
  needAlphabet(text, RIPPLE_ALPHABET, 'XRP Ledger base58');
  return withoutChecksum(base58xrp.decode(text));
}

export function encodeBase58Check(payload: Uint8Array): string {
  return base58.encode(withChecksum(payload));
}

export function encodeRippleBase58Check(payload: Uint8Array): string {
  return base58xrp.encode(withChecksum(payload));
}

/** Plain base58, without a checksum. */
export function readBase58(text: string): Uint8Array {
  needAlphabet(text, BASE58_ALPHABET, 'base58');
  return base58.decode(text);
}

function withoutChecksum(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= CHECKSUM_BYTES) refuse('The address is too short; copy it whole.');
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!equalBytes(checksumOf(payload), bytes.subarray(-CHECKSUM_BYTES)))
    refuse('The checksum does not match: a character is wrong, missing or added. Copy the address again.');
  return payload;
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function withChecksum(payload: Uint8Array): Uint8Array {
  return Uint8Array.from([...payload, ...checksumOf(payload)]);
}
