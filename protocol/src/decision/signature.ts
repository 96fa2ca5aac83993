import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeBase64Url, encodeBase64Url } from '../encoding/base64.ts';
import { verifyEd25519Strict } from '../proofs/ed25519.ts';
import { verifyCose } from './cose.ts';
import type { DecisionKey, WebauthnDecisionKey } from './key.ts';
import { coseKeyOf } from './key-faults.ts';

/** An assertion of an authenticator, as it came, in base64url without padding. */
export interface WebauthnAssertion {
  authenticator_data: string;
  client_data_json: string;
  signature: string;
}

export type DecisionSignature = { signature: string } | { webauthn: WebauthnAssertion };

type SignatureFault =
  | 'wrong_kind'
  | 'malformed'
  | 'wrong_signature'
  | 'wrong_challenge'
  | 'wrong_origin'
  | 'user_not_verified';

/** Why a signature was rejected, in words for people. */
export const SIGNATURE_FAULTS: Readonly<Record<SignatureFault, string>> = {
  wrong_kind: 'the signature is of another kind than the key',
  malformed: 'it is not base64url without padding, or not the bytes of a signature',
  wrong_signature: 'it is not a signature of this key over this text',
  wrong_challenge: 'the authenticator signed another challenge',
  wrong_origin: 'the authenticator signed for another origin or relying party',
  user_not_verified: 'the authenticator did not verify its user',
};

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
/** The hash of the relying party's id, the flags and the counter. */
const MIN_AUTHENTICATOR_DATA = 37;
const COUNTER_AT = 33;

/** Why this is no signature of the key over the text; undefined when it is one. */
export function signatureFault(
  key: DecisionKey,
  text: string,
  signed: DecisionSignature,
): SignatureFault | undefined {
  if (key.alg === 'webauthn')
    return 'webauthn' in signed ? assertionFault(key, text, signed.webauthn) : 'wrong_kind';
  if (!('signature' in signed)) return 'wrong_kind';
  const publicKey = decodeBase64Url(key.public_key);
  const signature = decodeBase64Url(signed.signature);
  if (publicKey?.length !== 32 || signature?.length !== 64) return 'malformed';
  return verifyEd25519Strict(publicKey, utf8ToBytes(text), signature) ? undefined : 'wrong_signature';
}

/**
 * How often the authenticator has signed, by its own count; 0 where it does not count. Only of an assertion in which
 * `signatureFault` finds nothing.
 */
export function assertionCounter({ authenticator_data }: WebauthnAssertion): number {
  const bytes = decodeBase64Url(authenticator_data);
  if (!bytes || bytes.length < MIN_AUTHENTICATOR_DATA) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(COUNTER_AT);
}

/** What the authenticator shall sign for this text: its SHA-256. */
export function webauthnChallenge(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

function assertionFault(
  key: WebauthnDecisionKey,
  text: string,
  assertion: WebauthnAssertion,
): SignatureFault | undefined {
  const publicKey = coseKeyOf(key);
  const authenticatorData = decodeBase64Url(assertion.authenticator_data);
  const clientDataJson = decodeBase64Url(assertion.client_data_json);
  const signature = decodeBase64Url(assertion.signature);
  if (!publicKey || !authenticatorData || !clientDataJson || !signature) return 'malformed';
  if (authenticatorData.length < MIN_AUTHENTICATOR_DATA) return 'malformed';
  const client = readClientData(clientDataJson);
  if (!client) return 'malformed';
  if (client['type'] !== 'webauthn.get') return 'wrong_challenge';
  if (client['challenge'] !== encodeBase64Url(webauthnChallenge(text))) return 'wrong_challenge';
  if (client['origin'] !== key.origin || client['crossOrigin'] === true) return 'wrong_origin';
  const rpIdHash = sha256(utf8ToBytes(key.rp_id));
  if (!rpIdHash.every((byte, at) => authenticatorData[at] === byte)) return 'wrong_origin';
  const flags = authenticatorData[32] ?? 0;
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0) return 'user_not_verified';
  const message = concatBytes(authenticatorData, sha256(clientDataJson));
  return verifyCose(publicKey, message, signature) ? undefined : 'wrong_signature';
}

function readClientData(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
