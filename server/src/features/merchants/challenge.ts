import { DAY_MS } from '../../lib/clock.ts';

export const CHALLENGE_LIFE_MS = 7 * DAY_MS;

const VALUE_PREFIX = 'svc-domain-verification=';
const CHALLENGE_BYTES = 32;

/** The value that the owner publishes. It is public by nature and proves nothing but control of its place. */
export function newChallengeValue(randomBytes: (count: number) => Uint8Array): string {
  return VALUE_PREFIX + Buffer.from(randomBytes(CHALLENGE_BYTES)).toString('base64url');
}

export function challengeRecordName(domain: string): string {
  return `_svc-challenge.${domain}`;
}

export function challengeUrl(domain: string): string {
  return `https://${domain}/.well-known/svc-challenge.txt`;
}
