import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { ClaimPrincipal } from '../../http/principals.ts';
import type { Keys } from '../../lib/keys.ts';
import { isAgentUsable } from '../agents/usable.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { walletTopic } from '../callers/topics.ts';
import { holdAgent, holdWalletRow } from './connection-sql.ts';
import { createConnection } from './create-connection.ts';
import { findInvitation, lockInvitation, markExchanged } from './invitation-sql.ts';
import type { ConnectionRow, InvitationRow } from './view.ts';

/**
 * The claim token coordinates, it does not approve: a connection comes out only when the wallet that minted the
 * key has approved this very invitation, once, with exactly the approved scopes. Locks: wallet, agent, invitation.
 */
export async function exchangeInvitation(
  tx: Tx,
  act: Act,
  keys: Keys,
  principal: ClaimPrincipal,
  invitationId: string,
): Promise<{ connection: ConnectionRow; token: string }> {
  const { merchantId, agentId } = principal;
  if (invitationId !== principal.invitationId) throw notFound();
  const owner = { kind: 'claimant', merchantId, agentId } as const;
  const seen = await findInvitation(tx, owner, invitationId, act.now);
  if (!seen) throw notFound();
  await holdWalletRow(tx, seen.wallet_id);
  await refuseSleepingAgent(tx, act, principal);
  await lockInvitation(tx, owner, invitationId);
  const invitation = await findInvitation(tx, owner, invitationId, act.now);
  const scopes = approvedScopesOf(invitation);
  const seenNames = {
    agent: invitation?.seen_agent_name ?? null,
    merchant: invitation?.seen_merchant_name ?? null,
  };

  const made = await createConnection(tx, act, keys, auditActor(principal), {
    merchantId,
    agentId,
    walletId: seen.wallet_id,
    scopes,
    isTokenShared: false,
    seenNames,
  });
  await markExchanged(tx, merchantId, invitationId, made.connection.connection_id);
  await recordAudit(tx, act, {
    merchantId,
    walletId: seen.wallet_id,
    type: 'connect_invitation.exchanged',
    actor: auditActor(principal),
    target: { type: 'connect_invitation', id: invitationId },
    details: { connection_id: made.connection.connection_id },
  });
  tx.afterCommit(() => act.announce(walletTopic(seen.wallet_id)));
  return made;
}

function approvedScopesOf(invitation: InvitationRow | undefined) {
  switch (invitation?.status) {
    case undefined:
      throw notFound();
    case 'pending_approval':
      throw new AppError('wallet_approval_required');
    case 'exchanged':
      throw new AppError('token_revoked');
    case 'rejected':
    case 'expired':
      throw new AppError('invitation_closed');
    case 'approved':
      return invitation.approved_scopes ?? [];
  }
}

async function refuseSleepingAgent(tx: Tx, act: Act, principal: ClaimPrincipal): Promise<void> {
  const agent = await holdAgent(tx, principal.merchantId, principal.agentId);
  if (agent?.status === 'revoked') throw new AppError('token_revoked');
  if (!(await isAgentUsable(tx, principal.agentId, act.now))) throw new AppError('agent_not_active');
}
