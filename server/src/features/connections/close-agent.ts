import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { rejectInvitationsOfAgent } from './invitation-sql.ts';
import { rejectSessionsOfAgent } from './pairing-sql.ts';

/** Rejects undecided invitations and pairing sessions of a revoked agent, at most `limit` of each kind; true when there may be more. */
export async function closeRequestsOfAgent(
  tx: Tx,
  act: Act,
  agent: { merchantId: string; agentId: string },
  limit: number,
): Promise<boolean> {
  const invitations = await rejectInvitationsOfAgent(tx, agent, act.now, limit);
  const sessions = await rejectSessionsOfAgent(tx, agent, act.now, limit);
  const common = {
    merchantId: agent.merchantId,
    actor: SYSTEM_ACTOR,
    details: { cause: 'agent_revoked' },
  };
  await recordAudit(
    tx,
    act,
    ...invitations.map((row) => ({
      ...common,
      walletId: row.wallet_id,
      type: 'connect_invitation.rejected' as const,
      target: { type: 'connect_invitation' as const, id: row.connect_invitation_id },
    })),
    ...sessions.map((id) => ({
      ...common,
      type: 'pairing_session.rejected' as const,
      target: { type: 'pairing_session' as const, id },
    })),
  );
  return invitations.length === limit || sessions.length === limit;
}
