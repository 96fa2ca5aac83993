import type { InvitationStatus, Scope } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { newestFirst, type PageRead } from '../page.ts';
import { requesterColumns } from './connection-sql.ts';
import type { InvitationRow } from './view.ts';

/** The owner of the invitations: the wallet that minted the key, or the agent that claimed it. */
type InvitationOwner =
  | { kind: 'wallet'; walletId: string }
  | { kind: 'claimant'; merchantId: string; agentId: string };

function ownedBy(sql: Sql, owner: InvitationOwner) {
  return owner.kind === 'wallet'
    ? sql`i.wallet_id = ${owner.walletId}`
    : sql`i.agent_id = ${owner.agentId} and i.merchant_id = ${owner.merchantId}`;
}

/** The clock and the agent's state determine an open invitation's status immediately, without a sweeper. */
function currentStatus(sql: Sql, now: Date) {
  return sql`case
    when i.status not in ('pending_approval', 'approved') then i.status
    when a.status = 'revoked' then 'rejected'
    when i.expires_at < ${now} then 'expired'
    else i.status end`;
}

function selectInvitations(sql: Sql, now: Date) {
  return sql`
    select i.connect_invitation_id, i.wallet_id, i.requested_scopes, i.approved_scopes, i.connection_id,
           i.created_at, i.expires_at, i.seen_agent_name, i.seen_merchant_name,
           ${currentStatus(sql, now)} as status, ${requesterColumns(sql)}
    from connect_invitations i
      join agents a on a.agent_id = i.agent_id
      join merchants m on m.merchant_id = i.merchant_id`;
}

export async function findInvitation(sql: Sql, owner: InvitationOwner, invitationId: string, now: Date) {
  const [row] = await sql<InvitationRow[]>`
    ${selectInvitations(sql, now)} where i.connect_invitation_id = ${invitationId} and ${ownedBy(sql, owner)}`;
  return row;
}

export function listInvitations(
  db: Sql,
  walletId: string,
  status: InvitationStatus | undefined,
  now: Date,
  page: PageRead,
): Promise<InvitationRow[]> {
  return db<InvitationRow[]>`
    ${selectInvitations(db, now)} where i.wallet_id = ${walletId}
      ${status === undefined ? db`` : db`and ${currentStatus(db, now)} = ${status}`}
      ${newestFirst(db, page, 'i.connect_invitation_id')}`;
}

/** Locked before an open invitation is checked and changed; every change takes this lock. */
export async function lockInvitation(tx: Tx, owner: InvitationOwner, invitationId: string): Promise<void> {
  await tx`
    select from connect_invitations i
    where i.connect_invitation_id = ${invitationId} and ${ownedBy(tx, owner)} for update`;
}

export async function decideInvitation(
  tx: Tx,
  walletId: string,
  invitationId: string,
  decision: { status: 'approved' | 'rejected'; approvedScopes: readonly Scope[] | null },
  now: Date,
): Promise<void> {
  const { status, approvedScopes } = decision;
  await tx`
    update connect_invitations i
    set status = ${status}, decided_at = ${now}, approved_scopes = ${approvedScopes === null ? null : [...approvedScopes]}::text[],
        seen_agent_name = (select a.name from agents a where a.agent_id = i.agent_id),
        seen_merchant_name = (select m.name from merchants m where m.merchant_id = i.merchant_id)
    where wallet_id = ${walletId} and connect_invitation_id = ${invitationId}
      and ${mayBecome(tx, 'connect_invitation', status, 'wallet')}`;
}

export async function markExchanged(tx: Tx, merchantId: string, invitationId: string, connectionId: string) {
  await tx`
    update connect_invitations set status = 'exchanged', connection_id = ${connectionId}
    where merchant_id = ${merchantId} and connect_invitation_id = ${invitationId}
      and ${mayBecome(tx, 'connect_invitation', 'exchanged', 'agent')}`;
}

interface ClosedInvitation {
  connect_invitation_id: string;
  merchant_id: string;
  wallet_id: string;
}

export async function rejectInvitationsOfWallet(
  tx: Tx,
  walletId: string,
  now: Date,
): Promise<ClosedInvitation[]> {
  return tx<ClosedInvitation[]>`
    update connect_invitations set status = 'rejected', decided_at = ${now}
    where wallet_id = ${walletId} and ${mayBecome(tx, 'connect_invitation', 'rejected', 'wallet')}
    returning connect_invitation_id, merchant_id, wallet_id`;
}

/** Open invitations of a revoked agent, except those that are being decided now. */
export async function rejectInvitationsOfAgent(
  tx: Tx,
  agent: { merchantId: string; agentId: string },
  now: Date,
  limit: number,
): Promise<ClosedInvitation[]> {
  return tx<ClosedInvitation[]>`
    update connect_invitations set status = 'rejected', decided_at = ${now}
    where connect_invitation_id in (
      select connect_invitation_id from connect_invitations
      where agent_id = ${agent.agentId} and merchant_id = ${agent.merchantId}
        and ${mayBecome(tx, 'connect_invitation', 'rejected', 'system')}
      limit ${limit} for update skip locked)
    returning connect_invitation_id, merchant_id, wallet_id`;
}
