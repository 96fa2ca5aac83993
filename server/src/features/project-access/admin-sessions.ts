import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type { AdminPrincipal, MerchantPrincipal } from '../../http/principals.ts';
import { addMs, HOUR_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { endAdminSessionRow, holdMerchantSession, insertAdminSession } from './sql.ts';

/** Valid while its age is at most this, to the millisecond. */
const ADMIN_SESSION_LIFE_MS = HOUR_MS;

/** A bearer for scripts of the operator who is signed in; it ends with that sign-in at the latest. */
export async function openAdminSession(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
): Promise<{ token: string; expiresAt: Date }> {
  const { merchantId, accountId, sessionId: merchantSessionId } = principal;
  if (!(await holdMerchantSession(tx, merchantId, merchantSessionId))) throw new AppError('token_revoked');
  const token = act.newToken('admin_session');
  const sessionId = act.newId('ses');
  const expiresAt = addMs(act.now, ADMIN_SESSION_LIFE_MS);
  await insertAdminSession(tx, {
    session_id: sessionId,
    token_hash: hashSecret(token),
    merchant_id: merchantId,
    account_id: accountId,
    merchant_session_id: merchantSessionId,
    created_at: act.now,
    expires_at: expiresAt,
  });
  await recordAudit(tx, act, {
    merchantId,
    type: 'admin_session.created',
    actor: auditActor(principal),
    target: { type: 'admin_session', id: sessionId },
  });
  return { token, expiresAt };
}

export async function endAdminSession(tx: Tx, act: Act, principal: AdminPrincipal): Promise<void> {
  const { merchantId, sessionId } = principal;
  if (!(await endAdminSessionRow(tx, merchantId, sessionId, act.now))) return;
  await recordAudit(tx, act, {
    merchantId,
    type: 'admin_session.ended',
    actor: auditActor(principal),
    target: { type: 'admin_session', id: sessionId },
  });
}
