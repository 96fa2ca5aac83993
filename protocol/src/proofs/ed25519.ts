import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { decodeAnyBase64 } from '../encoding/base64.ts';

/**
 * Ed25519 as libsodium verifies it, which is stricter than RFC 8032 demands: one encoding per key and per
 * signature, no points of small order, and the equation without cofactor. So a key cannot be chosen under
 * which many messages verify, and a signature cannot be altered into another valid one.
 */
const { Point } = ed25519;
const KEY_LENGTH = 32;
const SIGNATURE_LENGTH = 64;

export type PointFault = 'not_on_curve' | 'non_canonical_point' | 'small_order_point';

/** What is wrong with 32 bytes as an Ed25519 point, or undefined when they are a good one. */
export function pointFault(bytes: Uint8Array): PointFault | undefined {
  const point = decodePoint(bytes, false);
  if (point === undefined) {
    return decodePoint(bytes, true) === undefined ? 'not_on_curve' : 'non_canonical_point';
  }
  return point.isSmallOrder() ? 'small_order_point' : undefined;
}

export function verifyEd25519Strict(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (publicKey.length !== KEY_LENGTH || signature.length !== SIGNATURE_LENGTH) return false;
  const encodedR = signature.subarray(0, KEY_LENGTH);
  const s = littleEndian(signature.subarray(KEY_LENGTH));
  const order = Point.Fn.ORDER;
  if (s >= order) return false;
  const a = decodePoint(publicKey, false);
  const r = decodePoint(encodedR, false);
  if (a === undefined || r === undefined || a.isSmallOrder() || r.isSmallOrder()) return false;
  const hash = sha512.create().update(encodedR).update(publicKey).update(message).digest();
  const k = littleEndian(hash) % order;
  return Point.BASE.multiplyUnsafe(s).equals(r.add(a.multiplyUnsafe(k)));
}

/** 64 bytes as base64url or base64. Only verification shows whether they are a signature. */
export function parseSignature(text: string): Uint8Array | undefined {
  const bytes = decodeAnyBase64(text);
  return bytes?.length === SIGNATURE_LENGTH ? bytes : undefined;
}

/** Signs with a 32-byte seed, for tests and for clients that keep their key in memory. */
export function signEd25519(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return ed25519.sign(message, seed);
}

export function ed25519PublicKey(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

function decodePoint(bytes: Uint8Array, lenient: boolean): InstanceType<typeof Point> | undefined {
  try {
    return Point.fromBytes(bytes, lenient);
  } catch {
    return undefined;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  return value;
}
