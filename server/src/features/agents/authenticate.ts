import type { Context } from '../../context.ts';
import { AppError, refuseSuspendedAgent } from '../../errors.ts';
import type { AgentPrincipal, PresentedCredential } from '../../http/principals.ts';
import { selectToken } from './token-sql.ts';
import { credentialStatus } from './view.ts';

/** The agent token: opaque, ten minutes, and dead at once with the credential that signed for it or its agent. */
export async function authenticateAgent(
  { db }: Context,
  presented: PresentedCredential,
  now: Date,
): Promise<AgentPrincipal> {
  const row = await selectToken(db, presented.tokenHash);
  if (!row) throw new AppError('unauthenticated');
  if (row.agent_status === 'revoked' || credentialStatus(row, now) !== 'active')
    throw new AppError('token_revoked');
  if (row.token_expires_at < now) throw new AppError('token_expired');
  refuseSuspendedAgent(row);
  if (row.agent_status !== 'active') throw new AppError('agent_not_active');
  return {
    kind: 'agent',
    merchantId: row.merchant_id,
    agentId: row.agent_id,
    credentialId: row.credential_id,
    scopes: row.allowed_scopes,
  };
}
