import type { MerchantSession } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { toTimestamp } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import type { issueSessionGrant } from './grants.ts';
import { SESSION_LIFE_MS } from './lifetimes.ts';
import { readSession } from './session-sql.ts';
import { sessionView } from './view.ts';

/** The response to a proved sign-in. */
export function grantView(grant: Awaited<ReturnType<typeof issueSessionGrant>>) {
  return {
    session_grant: grant.token,
    session_grant_expires_at: toTimestamp(grant.expiresAt),
    merchants: grant.choices.map(({ choiceId, workspace }) => ({
      choice_id: choiceId,
      name: workspace.name,
      status: workspace.status,
    })),
  };
}

export async function readSessionView(
  sql: Sql,
  act: Act,
  principal: MerchantPrincipal,
): Promise<MerchantSession> {
  const { merchantId, sessionId } = principal;
  const session = await readSession(sql, merchantId, sessionId);
  if (!session) throw new AppError('token_revoked');
  return sessionView(session, { sessionId, now: act.now });
}

/** Inaccessible to scripts and to other sites; a `__Host-` one also to other hosts of the same domain. */
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

/**
 * Bound to the session and to a key outside the database: it can be computed again, and no other party can forge it.
 */
export function csrfTokenOf(keys: Keys, session: { sessionId: string; csrfKeyId: string }): string {
  return keys.mac('csrf', session.csrfKeyId, session.sessionId).toString('base64url');
}
