import { sha256Hex } from '../digests.ts';
import { encodeBase64Url } from '../encoding/base64.ts';
import { parseSignature, verifyEd25519Strict } from './ed25519.ts';

/**
 * The text an agent signs to prove that it holds the private key. It names service, agent, credential and
 * key, so that a signature made for one of them is worth nothing elsewhere, and it is no JSON and no JWS, so
 * that it can never be mistaken for an assertion.
 */
const CREDENTIAL_PROOF_VERSION = 'svc.agent-credential-proof.v1';
export const CREDENTIAL_PROOF_MAX_AGE_SECONDS = 300;

interface CredentialChallenge {
  baseUrl: string;
  agentId: string;
  credentialId: string;
  kid: string;
  /** SHA-256 of the 32 bytes of the public key, lower-case hex. */
  publicKeySha256: string;
  /** 256 random bits, base64url. */
  nonce: string;
  /** RFC 3339 with milliseconds. */
  expiresAt: string;
}

interface CredentialChallengeInput {
  baseUrl: string;
  agentId: string;
  credentialId: string;
  kid: string;
  publicKey: Uint8Array;
  nonce: Uint8Array;
  expiresAt: string;
}

/** Eight lines joined by a line feed, none at the end. */
export function buildCredentialChallenge(input: CredentialChallengeInput): string {
  if (input.publicKey.length !== 32) throw new RangeError('buildCredentialChallenge: key must have 32 bytes');
  if (input.nonce.length !== 32) throw new RangeError('buildCredentialChallenge: nonce must have 32 bytes');
  const lines = [
    CREDENTIAL_PROOF_VERSION,
    input.baseUrl,
    input.agentId,
    input.credentialId,
    input.kid,
    sha256Hex(input.publicKey),
    encodeBase64Url(input.nonce),
    input.expiresAt,
  ];
  // A value that could add a line could change the meaning of those below it.
  if (lines.some((line) => line === '' || /[\r\n]/.test(line))) {
    throw new RangeError('buildCredentialChallenge: a line is empty or contains a line break');
  }
  return lines.join('\n');
}

/** For the signer, so that it can check the content before it signs. */
export function parseCredentialChallenge(text: string): CredentialChallenge | undefined {
  const [version, baseUrl, agentId, credentialId, kid, publicKeySha256, nonce, expiresAt, ...rest] =
    text.split('\n');
  if (version !== CREDENTIAL_PROOF_VERSION || rest.length > 0) return undefined;
  if (!baseUrl || !agentId || !credentialId || !kid || !publicKeySha256 || !nonce || !expiresAt)
    return undefined;
  return { baseUrl, agentId, credentialId, kid, publicKeySha256, nonce, expiresAt };
}

export function verifyCredentialProof(publicKey: Uint8Array, challenge: string, signature: string): boolean {
  const bytes = parseSignature(signature);
  return bytes !== undefined && verifyEd25519Strict(publicKey, new TextEncoder().encode(challenge), bytes);
}
