import { decodeBase64Url } from '../base64.ts';
import { verifyEd25519Strict } from '../ed25519.ts';

export type ClaimStatus = 'holds' | 'broken' | 'not_claimed';

export interface ClaimOutcome {
  status: ClaimStatus;
  /** For people: what it rests on, or what is wrong. */
  explanation: string;
}

export type Check = () => ClaimOutcome;

/** A key as the service publishes it. */
export interface PublishedKey {
  kid: string;
  alg: string;
  public_key: string;
  use: string;
}

export function holds(explanation: string): ClaimOutcome {
  return { status: 'holds', explanation };
}

export function notClaimed(explanation: string): ClaimOutcome {
  return { status: 'not_claimed', explanation };
}

/** Ends a check: the claim is broken. */
function refuse(explanation: string): never {
  throw new Error(explanation);
}

export function expect(condition: boolean, explanation: string): asserts condition {
  if (!condition) refuse(explanation);
}

/** Base64url without padding, in its one spelling. */
export function decode(text: unknown): Uint8Array {
  const bytes = typeof text === 'string' ? decodeBase64Url(text) : undefined;
  return bytes ?? refuse('A binary member is not base64url without padding.');
}

export function isSignedBy(
  keys: readonly PublishedKey[],
  use: string,
  kid: string,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  return keys.some(
    (key) =>
      key.kid === kid &&
      key.use === use &&
      key.alg === 'Ed25519' &&
      verifyEd25519Strict(decode(key.public_key), message, signature),
  );
}
