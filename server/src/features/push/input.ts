import { ECDH } from 'node:crypto';
import { decodeBase64Url, type Issue } from '@payassent/protocol';
import type { BodyOf, setPushSubscription } from '@payassent/protocol/api';
import { urlIssues } from '../webhooks/schema.ts';

export type PushInput = BodyOf<typeof setPushSubscription>;

const AUTH_BYTES = 16;

export function pushIssues(body: Partial<PushInput>, options: { allowLoopback: boolean }): Issue[] {
  const issues = urlIssues('endpoint', body.endpoint, options);
  const keys: Partial<PushInput['keys']> = body.keys ?? {};
  const refuse = (name: 'p256dh' | 'auth', what: string) =>
    issues.push({ field: `keys.${name}`, code: 'invalid_format', message: `${name} must be ${what}.` });
  if (typeof keys.p256dh === 'string' && !isPoint(decodeBase64Url(keys.p256dh)))
    refuse('p256dh', 'an uncompressed point of P-256: 65 bytes in base64url without padding');
  if (typeof keys.auth === 'string' && decodeBase64Url(keys.auth)?.length !== AUTH_BYTES)
    refuse('auth', `${AUTH_BYTES} bytes in base64url without padding`);
  return issues;
}

function isPoint(bytes: Uint8Array | undefined): boolean {
  if (bytes?.length !== 65 || bytes[0] !== 4) return false;
  try {
    // Reads the point, and refuses what does not lie on the curve.
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
