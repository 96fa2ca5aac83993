import type { Keys } from '../../lib/keys.ts';
import { SESSION_LIFE_MS } from './lifetimes.ts';

/** Out of reach for scripts and for other sites; a `__Host-` one also for other hosts of the same domain. */
export function sessionCookie(name: string, token: string): string {
  return cookie(name, token, SESSION_LIFE_MS / 1000);
}

export function endedCookie(name: string): string {
  return cookie(name, '', 0);
}

function cookie(name: string, value: string, maxAgeS: number): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
}

/** Bound to the session and to a key outside the database: it can be told again, and nobody else can make it. */
export function csrfTokenOf(keys: Keys, session: { sessionId: string; csrfKeyId: string }): string {
  return keys.mac('csrf', session.csrfKeyId, session.sessionId).toString('base64url');
}
