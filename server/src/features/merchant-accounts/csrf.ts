import type { Keys } from '../../lib/keys.ts';

/** Bound to the session and to a key outside the database: it can be told again, and nobody else can make it. */
export function csrfTokenOf(keys: Keys, session: { sessionId: string; csrfKeyId: string }): string {
  return keys.mac('csrf', session.csrfKeyId, session.sessionId).toString('base64url');
}
