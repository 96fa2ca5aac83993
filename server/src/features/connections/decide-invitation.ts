import type { Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound, refuseWhenInvalid } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { walletTopic } from '../callers/topics.ts';
import { decideInvitation, findInvitation, lockInvitation } from './invitation-sql.ts';
import { notRequestedIssues } from './schema.ts';
import type { InvitationRow } from './view.ts';

/** Only the wallet that minted the key. `scopes` absent: everything that was asked for. */
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
  return settle(tx, act, principal, invitation, { status: 'approved', approvedScopes });
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
  return settle(tx, act, principal, invitation, { status: 'rejected', approvedScopes: null });
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

async function settle(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  invitation: InvitationRow,
  decision: { status: 'approved' | 'rejected'; approvedScopes: readonly Scope[] | null },
): Promise<InvitationRow> {
  const { walletId } = principal;
  await decideInvitation(tx, walletId, invitation.connect_invitation_id, decision, act.now);
  await recordAudit(tx, act, {
    merchantId: invitation.merchant_id,
    type: `connect_invitation.${decision.status}`,
    actor: auditActor(principal),
    target: { type: 'connect_invitation', id: invitation.connect_invitation_id },
    details: decision.approvedScopes === null ? {} : { approved_scopes: [...decision.approvedScopes] },
  });
  tx.afterCommit(() => act.announce(walletTopic(walletId)));
  const approved_scopes = decision.approvedScopes === null ? null : [...decision.approvedScopes];
  return { ...invitation, status: decision.status, approved_scopes };
}
