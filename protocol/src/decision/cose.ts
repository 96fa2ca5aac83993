import { p256 } from '@noble/curves/nist.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { pointFault, verifyEd25519Strict } from '../proofs/ed25519.ts';

export type CosePublicKey = { alg: 'ES256' | 'EdDSA'; bytes: Uint8Array };

/** CTAP2 has one encoding for each kind of key, so a key is its coordinates behind fixed bytes and nothing else. */
const ES256_HEAD = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
const ES256_MIDDLE = [0x22, 0x58, 0x20];
const EDDSA_HEAD = [0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20];

export function readCoseKey(cose: Uint8Array): CosePublicKey | undefined {
  if (cose.length === 42 && startsWith(cose, EDDSA_HEAD)) {
    const bytes = cose.subarray(10);
    return pointFault(bytes) === undefined ? { alg: 'EdDSA', bytes } : undefined;
  }
  if (cose.length !== 77 || !startsWith(cose, ES256_HEAD) || !startsWith(cose.subarray(42), ES256_MIDDLE))
    return undefined;
  const bytes = concatBytes(Uint8Array.of(4), cose.subarray(10, 42), cose.subarray(45));
  try {
    p256.Point.fromBytes(bytes).assertValidity();
    return { alg: 'ES256', bytes };
  } catch {
    return undefined;
  }
}

export function verifyCose(key: CosePublicKey, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.alg === 'EdDSA') return verifyEd25519Strict(key.bytes, message, signature);
  try {
    // Authenticators write DER and do not care for the smaller of the two values of s.
    return p256.verify(signature, message, key.bytes, { format: 'der', lowS: false });
  } catch {
    return false;
  }
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, at) => bytes[at] === byte);
}
