import { AppError, refuseSuspendedAgent } from '../../errors.ts';
import type { Authenticators } from '../../http/kernel.ts';
import { findPresentedKey, findPresentedSession } from './sql.ts';

/** A key belongs to its agent and works while that agent does. */
export const authenticateApiKey: Authenticators['api_key'] = async ({ db }, presented, now) => {
  const row = await findPresentedKey(db, presented.tokenHash, now);
  if (!row) throw new AppError('unauthenticated');
  if (row.revoked_at) throw new AppError('token_revoked');
  refuseSuspendedAgent(row);
  if (!row.is_usable) throw new AppError('agent_not_active');
  return {
    kind: 'api_key',
    merchantId: row.merchant_id,
    agentId: row.agent_id,
    apiKeyId: row.api_key_id,
  };
};

export const authenticateAdmin: Authenticators['admin'] = async ({ db }, presented, now) => {
  const row = await findPresentedSession(db, presented.tokenHash, now);
  if (!row) throw new AppError('unauthenticated');
  if (row.ended_at || row.role === null) throw new AppError('token_revoked');
  if (now > row.expires_at) throw new AppError('token_expired');
  return {
    kind: 'admin',
    merchantId: row.merchant_id,
    merchantStatus: row.merchant_status,
    accountId: row.account_id,
    role: row.role,
    // A script uses no passkey: the sign-in that it belongs to does.
    factors: {
      hasPasskey: row.has_passkey,
      steppedUpAt: row.stepped_up_at,
      passkeyEffectiveAt: row.passkey_effective_at,
      recoversAt: row.recovers_at,
    },
    sessionId: row.session_id,
  };
};
