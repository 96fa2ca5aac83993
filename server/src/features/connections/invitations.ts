import type { Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { AppError, notFound, refuseWhenInvalid } from '../../errors.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { hashSecret, type Keys } from '../../lib/keys.ts';
import type { AgentPrincipal, ClaimPrincipal, WalletPrincipal } from '../../principals.ts';
import { isAgentUsable } from '../agents/usable.ts';
import { audit, auditActor } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { walletTopic } from '../callers/topics.ts';
import { findConnectKeyByHash } from './connect-keys.ts';
import { holdAgent, holdWalletRow } from './connection-sql.ts';
import { createConnection, notRequestedIssues } from './connections.ts';
import { decideInvitation, findInvitation, lockInvitation, markExchanged } from './invitation-sql.ts';
import type { ConnectionRow, InvitationRow } from './view.ts';

const INVITATION_LIFE_MS = 15 * MINUTE_MS;

/** Checked before any lookup: an error about scopes reveals nothing about keys or codes. */
export function refuseForeignScopes(principal: AgentPrincipal, requested: readonly Scope[]): void {
  const refused = requested.filter((scope) => !principal.scopes.includes(scope));
  if (refused.length === 0) return;
  throw new AppError('insufficient_scope', {
    message: `The agent is not allowed ${refused.join(', ')}.`,
    details: { refused_scopes: refused, allowed_scopes: [...principal.scopes] },
  });
}

/** One agent wins the key. A later one learns that it is used, and nothing about the winner or the wallet. */
export async function claimInvitation(
  tx: Tx,
  act: Act,
  principal: AgentPrincipal,
  input: { connectKey: string; requestedScopes: readonly Scope[] },
): Promise<{ invitation: InvitationRow; claimToken: string }> {
  const { merchantId, agentId } = principal;
  const keyHash = hashSecret(input.connectKey);
  const [key] = await tx<{ connect_key_id: string; wallet_id: string }[]>`
    update connect_keys set status = 'used'
    where key_hash = ${keyHash} and ${mayBecome(tx, 'connect_key', 'used', 'agent')} and expires_at >= ${act.now}
    returning connect_key_id, wallet_id`;
  if (!key) throw await explainUnclaimable(tx, keyHash, act.now);

  const invitationId = act.newId('inv');
  const claimToken = act.newToken('claim');
  await tx`
    insert into connect_invitations
      (connect_invitation_id, connect_key_id, wallet_id, merchant_id, agent_id, status, requested_scopes,
       claim_token_hash, created_at, expires_at)
    values (${invitationId}, ${key.connect_key_id}, ${key.wallet_id}, ${merchantId},
            ${agentId}, 'pending_approval', ${[...input.requestedScopes]}::text[],
            ${hashSecret(claimToken)}, ${act.now}, ${addMs(act.now, INVITATION_LIFE_MS)})`;
  await audit(
    tx,
    act,
    principal,
    { merchantId, walletId: key.wallet_id },
    'connect_invitation.claimed',
    invitationId,
    { requested_scopes: [...input.requestedScopes] },
  );
  tx.afterCommit(() => act.announce(walletTopic(key.wallet_id)));
  const invitation = await findInvitation(
    tx,
    { kind: 'claimant', merchantId, agentId },
    invitationId,
    act.now,
  );
  if (!invitation) throw notFound();
  return { invitation, claimToken };
}

async function explainUnclaimable(tx: Tx, keyHash: string, now: Date): Promise<AppError> {
  const key = await findConnectKeyByHash(tx, keyHash, now);
  if (!key) return notFound();
  return new AppError(key.status === 'expired' ? 'connect_key_expired' : 'connect_key_used');
}

/** Only the wallet that minted the key. `scopes` absent: everything that was requested. */
export async function approveInvitation(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  invitationId: string,
  scopes: readonly Scope[] | undefined,
): Promise<InvitationRow> {
  const invitation = await takeInvitation(tx, act, principal, invitationId);
  refuseWhenInvalid(notRequestedIssues(scopes ?? [], invitation.requested_scopes));
  if (invitation.status !== 'pending_approval') throw new AppError('invitation_closed');
  const approvedScopes = scopes ?? invitation.requested_scopes;
  return recordDecision(tx, act, principal, invitation, { status: 'approved', approvedScopes });
}

/** Possible until the exchange, also after an approval. */
export async function rejectInvitation(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  invitationId: string,
): Promise<InvitationRow> {
  const invitation = await takeInvitation(tx, act, principal, invitationId);
  if (invitation.status !== 'pending_approval' && invitation.status !== 'approved')
    throw new AppError('invitation_closed');
  return recordDecision(tx, act, principal, invitation, { status: 'rejected', approvedScopes: null });
}

async function takeInvitation(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  invitationId: string,
): Promise<InvitationRow> {
  const owner = { kind: 'wallet', walletId: principal.walletId } as const;
  await holdWallet(tx, principal);
  await lockInvitation(tx, owner, invitationId);
  const invitation = await findInvitation(tx, owner, invitationId, act.now);
  if (!invitation) throw notFound();
  return invitation;
}

async function recordDecision(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  invitation: InvitationRow,
  decision: { status: 'approved' | 'rejected'; approvedScopes: readonly Scope[] | null },
): Promise<InvitationRow> {
  const { walletId } = principal;
  await decideInvitation(tx, walletId, invitation.connect_invitation_id, decision, act.now);
  await audit(
    tx,
    act,
    principal,
    invitation.merchant_id,
    `connect_invitation.${decision.status}`,
    invitation.connect_invitation_id,
    decision.approvedScopes === null ? {} : { approved_scopes: [...decision.approvedScopes] },
  );
  tx.afterCommit(() => act.announce(walletTopic(walletId)));
  const approved_scopes = decision.approvedScopes === null ? null : [...decision.approvedScopes];
  return { ...invitation, status: decision.status, approved_scopes };
}

/**
 * The claim token coordinates, it does not approve: a connection results only when the wallet that minted the key has
 * approved this very invitation, once, with exactly the approved scopes. Locks: wallet, agent, invitation.
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
  await refuseUnusableAgent(tx, act, principal);
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
  await audit(
    tx,
    act,
    principal,
    { merchantId, walletId: seen.wallet_id },
    'connect_invitation.exchanged',
    invitationId,
    { connection_id: made.connection.connection_id },
  );
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

async function refuseUnusableAgent(tx: Tx, act: Act, principal: ClaimPrincipal): Promise<void> {
  const agent = await holdAgent(tx, principal.merchantId, principal.agentId);
  if (agent?.status === 'revoked') throw new AppError('token_revoked');
  if (!(await isAgentUsable(tx, principal.agentId, act.now))) throw new AppError('agent_not_active');
}
