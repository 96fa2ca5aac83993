import { type AgentSuspension, AppError, refuseSuspendedAgent } from '../../errors.ts';
import type { Authenticators } from '../../http/kernel.ts';

interface ClaimRow extends AgentSuspension {
  connect_invitation_id: string;
  merchant_id: string;
  agent_id: string;
  status: string;
  agent_status: string;
}

/** Reads on after rejection and expiry, so that the agent learns how it ended; one exchange ends it for good. */
export const authenticateClaim: Authenticators['claim'] = async ({ db }, { tokenHash }) => {
  const [row] = await db<ClaimRow[]>`
    select i.connect_invitation_id, i.merchant_id, i.agent_id, i.status, a.status as agent_status,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from connect_invitations i join agents a on a.agent_id = i.agent_id
    where i.claim_token_hash = ${tokenHash}`;
  if (!row) throw new AppError('unauthenticated');
  if (row.status === 'exchanged' || row.agent_status === 'revoked') throw new AppError('token_revoked');
  refuseSuspendedAgent(row);
  return {
    kind: 'claim',
    merchantId: row.merchant_id,
    agentId: row.agent_id,
    invitationId: row.connect_invitation_id,
    tokenHash,
  };
};
