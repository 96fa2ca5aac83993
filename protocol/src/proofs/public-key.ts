import { hexToBytes } from '@noble/hashes/utils.js';
import { decodeAnyBase64, decodeBase64 } from '../encoding/base64.ts';
import { type PointFault, pointFault } from './ed25519.ts';

/** Why a text is not an acceptable public key. `private_key` means that a secret has left its place. */
export const PUBLIC_KEY_FAULTS = {
  private_key: 'this is a private key: it is compromised now, replace it and send only the public key',
  malformed: 'expected 32 bytes as base64url, base64 or hex, or a PEM block "PUBLIC KEY"',
  wrong_length: 'an Ed25519 public key has exactly 32 bytes',
  wrong_algorithm: 'this is a public key of another algorithm: only Ed25519 is accepted',
  not_on_curve: 'these 32 bytes are not a point of the Ed25519 curve',
  non_canonical_point: 'this encoding of the key is not canonical',
  small_order_point: 'this key is a point of small order, under which anyone could sign',
} as const satisfies Record<PointFault | string, string>;

type PublicKeyFault = keyof typeof PUBLIC_KEY_FAULTS;

type ParsedPublicKey = { ok: true; bytes: Uint8Array } | { ok: false; reason: PublicKeyFault };

/** SubjectPublicKeyInfo with the Ed25519 identifier 1.3.101.112, up to the 32 bytes of the key (RFC 8410). */
const SPKI_PREFIX = '302a300506032b6570032100';
/** PrivateKeyInfo, version 0 or 1, with the same identifier; its length byte differs between versions. */
const PKCS8_START = /^30..02010[01]300506032b6570/;
const PEM_PUBLIC = /^-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=\r\n]+?)\r?\n-----END PUBLIC KEY-----$/;
/** Stellar writes Ed25519 seeds as S and 55 characters; agents that hold one are likely to send it. */
const STELLAR_SEED = /^S[A-Z2-7]{55}$/;

export function parsePublicKey(text: string): ParsedPublicKey {
  const trimmed = text.trim();
  if (/PRIVATE KEY/i.test(trimmed) || STELLAR_SEED.test(trimmed) || looksLikePrivateJwk(trimmed)) {
    return refused('private_key');
  }
  if (trimmed.startsWith('-----BEGIN')) return fromPem(trimmed);
  const bytes = /^(?:[0-9a-fA-F]{2})+$/.test(trimmed) ? fromHexOrBase64(trimmed) : decodeAnyBase64(trimmed);
  if (bytes === undefined || bytes.length === 0) return refused('malformed');
  return fromBytes(bytes);
}

/** Digits and a–f are base64 too; the length decides, because no key form is 32 or 48 bytes in both. */
function fromHexOrBase64(text: string): Uint8Array | undefined {
  return text.length === 44 || text.length === 43 ? decodeAnyBase64(text) : hexToBytes(text.toLowerCase());
}

function fromBytes(bytes: Uint8Array): ParsedPublicKey {
  // 64 bytes are the secret key form of NaCl and libsodium: seed and public key.
  if (bytes.length === 64 || PKCS8_START.test(toHex(bytes))) return refused('private_key');
  if (bytes.length !== 32) return refused('wrong_length');
  const fault = pointFault(bytes);
  return fault === undefined ? { ok: true, bytes } : refused(fault);
}

function fromPem(text: string): ParsedPublicKey {
  const body = PEM_PUBLIC.exec(text)?.[1];
  const der = body === undefined ? undefined : decodeBase64(body.replace(/[\r\n]/g, ''));
  if (der === undefined) return refused('malformed');
  const hex = toHex(der);
  if (PKCS8_START.test(hex)) return refused('private_key');
  if (!hex.startsWith(SPKI_PREFIX)) return refused('wrong_algorithm');
  return fromBytes(der.slice(SPKI_PREFIX.length / 2));
}

/** A JWK is not an accepted form, but one with `d` is worth a warning. Broken JSON is searched as text. */
function looksLikePrivateJwk(text: string): boolean {
  return text.startsWith('{') && /["']?\bd["']?\s*:/.test(text);
}

function refused(reason: PublicKeyFault): ParsedPublicKey {
  return { ok: false, reason };
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
