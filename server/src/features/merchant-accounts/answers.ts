import type { MerchantSession } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { toTimestamp } from '../../lib/clock.ts';
import type { issueSessionGrant } from './grants.ts';
import { readSession } from './session-sql.ts';
import { sessionView } from './view.ts';

/** What a proved operator goes on with. */
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
