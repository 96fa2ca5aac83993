import type { AuditActorKind, AuditEventType, AuditTargetType } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import type { Principal } from '../../principals.ts';

export interface AuditActor {
  kind: AuditActorKind;
  id: string;
  /** The wallet whose device acts. */
  walletId?: string;
}

export interface AuditEntry {
  /** The tenant that may read it; null for what concerns a wallet alone. */
  merchantId: string | null;
  /** The wallet that may read it, where the actor is not one of its devices. Never shown to a merchant. */
  walletId?: string;
  type: AuditEventType;
  actor: AuditActor;
  target: { type: AuditTargetType; id: string };
  /** Details that help a reader; never a secret. */
  details?: Record<string, unknown>;
}

/** The origin of a sign-in or an enrolment, as details of its entry. */
export type Trace = { network_address: string; user_agent: string | null };

/**
 * One entry, about the record that the type begins with: by whom, who may read it, what was done to what. A wallet
 * named next to the merchant may read it too.
 */
export function audit(
  tx: Tx,
  act: Act,
  by: Principal | AuditActor,
  readers: string | null | { merchantId: string | null; walletId: string },
  type: AuditEventType,
  id: string,
  details?: Record<string, unknown>,
): Promise<void> {
  const actor = 'id' in by ? by : auditActor(by);
  const target = { type: type.split('.', 1)[0] as AuditTargetType, id };
  const tenants = typeof readers === 'object' && readers !== null ? readers : { merchantId: readers };
  return recordAudit(tx, act, { ...tenants, type, actor, target, ...(details && { details }) });
}

/** Written in the act's own transaction: an act without an entry has not happened. */
export async function recordAudit(tx: Tx, act: Act, ...entries: readonly AuditEntry[]): Promise<void> {
  const actorIds = await actorIdsFor(tx, entries);
  const rows = entries.map((entry, n) => ({
    audit_event_id: act.newId('aud'),
    merchant_id: entry.merchantId,
    wallet_id: entry.walletId ?? entry.actor.walletId ?? null,
    type: entry.type,
    actor_kind: entry.actor.kind,
    actor_id: actorIds[n] ?? entry.actor.id,
    // For the wallet's own trail, where the pseudonym for one merchant is meaningless.
    device_id: entry.actor.kind === 'wallet' ? entry.actor.id : null,
    target_type: entry.target.type,
    target_id: entry.target.id,
    details: tx.json(detailsOf(act, entry) as never),
    request_id: act.requestId,
    occurred_at: act.now,
  }));
  if (rows.length > 0) await tx`insert into audit_events ${tx(rows)}`;
}

function detailsOf({ approval }: Act, { details = {} }: AuditEntry): Record<string, unknown> {
  if (!approval) return details;
  return { ...details, approval_id: approval.approvalId, approved_by: approval.approvedBy };
}

/**
 * A merchant's trail names a wallet by a pseudonym of this merchant: device ids would identify users across merchants.
 */
async function actorIdsFor(tx: Tx, entries: readonly AuditEntry[]): Promise<(string | null)[]> {
  const isHidden = ({ merchantId, actor }: AuditEntry) => merchantId !== null && actor.kind === 'wallet';
  if (!entries.some(isHidden)) return [];
  const asked = entries.map((entry) => (isHidden(entry) ? entry : undefined));
  const rows = await tx<{ name: string | null }[]>`
    select wallet_pseudonym(i.merchant_id, i.device_id) as name
    from unnest(${asked.map((entry) => entry?.merchantId ?? null)}::text[],
                ${asked.map((entry) => entry?.actor.id ?? null)}::text[]) with ordinality i(merchant_id, device_id, n)
    order by i.n`;
  return rows.map((row) => row.name);
}

/** The caller as the audit trail names it; a wallet by its device, which merchants never see. */
export function auditActor(principal: Principal): AuditActor {
  switch (principal.kind) {
    case 'merchant':
      return { kind: 'operator', id: principal.accountId };
    case 'admin':
      return { kind: 'admin_session', id: principal.sessionId };
    case 'wallet':
      return { kind: 'wallet', id: principal.deviceId, walletId: principal.walletId };
    case 'api_key':
      return { kind: 'api_key', id: principal.apiKeyId };
    case 'agent':
    case 'claim':
    case 'connection':
      return { kind: 'agent', id: principal.agentId };
  }
}

export const SYSTEM_ACTOR: AuditActor = { kind: 'system', id: 'system' };
/** The host, at the command line. */
export const INSTALLATION: AuditActor = { kind: 'installation', id: 'installation' };
