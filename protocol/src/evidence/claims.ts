import { decodeBase64Url } from '../encoding/base64.ts';
import { verifyEd25519Strict } from '../proofs/ed25519.ts';

/**
 * `holds` only for what a signature, a digest or an inclusion proof in the bundle shows. What the service states and
 * nothing in the bundle shows is `service_word`: no proof, and no contradiction either.
 */
export type ClaimStatus = 'holds' | 'broken' | 'not_claimed' | 'service_word';

export interface ClaimOutcome {
  status: ClaimStatus;
  /** For people: what it depends on, or what is wrong. */
  explanation: string;
}

export type Check = () => ClaimOutcome;

/** A key as the service publishes it. */
export interface PublishedKey {
  kid: string;
  alg: string;
  public_key: string;
  use: string;
  created_at: string;
  retired_at: string | null;
}

export function holds(explanation: string): ClaimOutcome {
  return { status: 'holds', explanation };
}

export function notClaimed(explanation: string): ClaimOutcome {
  return { status: 'not_claimed', explanation };
}

export function serviceWord(explanation: string): ClaimOutcome {
  return { status: 'service_word', explanation };
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

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** The milliseconds of an RFC 3339 time. */
export function instant(text: unknown): number {
  const read = typeof text === 'string' && TIME.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  return Number.isNaN(read) ? refuse('A time cannot be read.') : read;
}

/** When a key signs: nothing before it was made, nothing after it was retired. */
export function lifeOf({ created_at, retired_at }: PublishedKey): { from: number; until: number } {
  return { from: instant(created_at), until: retired_at === null ? Infinity : instant(retired_at) };
}

/** The evidence key that signed, which must have been in use at `asOf`. */
export function signedByService(
  keys: readonly PublishedKey[],
  asOf: string,
  signature: { kid?: unknown; value?: unknown },
  message: Uint8Array,
): PublishedKey {
  const made = decode(signature.value);
  const signers = keys.filter(
    (key) =>
      key.kid === signature.kid &&
      key.use === 'evidence' &&
      key.alg === 'Ed25519' &&
      verifyEd25519Strict(decode(key.public_key), message, made),
  );
  expect(signers.length > 0, 'No published evidence key of the service has signed this.');
  const at = instant(asOf);
  const alive = signers.find((key) => lifeOf(key).from <= at && at <= lifeOf(key).until);
  expect(alive !== undefined, `${String(signature.kid)} was not in use at ${asOf}: ${livedText(signers)}.`);
  return alive;
}

function livedText([key]: readonly PublishedKey[]): string {
  return `made ${key?.created_at}, retired ${key?.retired_at ?? 'never'}`;
}
