import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { type AuditActor, auditActor, recordAudit } from '../audit/record.ts';
import { waitingTopic } from '../callers/topics.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { queueWebhooks } from '../webhooks/queue.ts';
import { selectChanged } from './sql.ts';
import { type PolicyRow, policyView } from './view.ts';

type PolicyAct = 'created' | 'updated' | 'activated' | 'paused' | 'resumed' | 'expired' | 'revoked';

/** A policy that was just changed. */
interface ChangedPolicy {
  policyId: string;
  /** Defaults to the act's moment. */
  occurredAt?: Date;
}

/**
 * Reads the policy as the change left it and records the change: for the audit trail and for the merchant's webhooks,
 * in the change's own transaction.
 */
export async function announcePolicy(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  { merchantId, policyId }: { merchantId: string; policyId: string },
  what: PolicyAct,
): Promise<PolicyRow> {
  const [row] = await announcePolicies(tx, act, actor, merchantId, [{ policyId }], what);
  if (!row) throw new Error('A policy that was just changed is not there.');
  return row;
}

/** The same for many of a merchant, in as many statements as for one. */
export async function announcePolicies(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  merchantId: string,
  changed: readonly ChangedPolicy[],
  what: PolicyAct,
): Promise<readonly PolicyRow[]> {
  if (changed.length === 0) return [];
  const type = `automation_policy.${what}` as const;
  const moments = new Map(changed.map(({ policyId, occurredAt }) => [policyId, occurredAt ?? act.now]));
  const rows = await selectChanged(tx, merchantId, [...moments.keys()], act.now);
  const entries = rows.map((row) => ({
    merchantId,
    walletId: row.wallet_id,
    type,
    actor,
    target: { type: 'automation_policy' as const, id: row.policy_id },
    details: { connection_id: row.connection_id, status: row.status, version: row.version },
  }));
  const events = rows.map((row) => ({
    merchantId,
    type,
    data: { automation_policy: policyView(row) },
    occurredAt: moments.get(row.policy_id) ?? act.now,
  }));
  await recordAudit(tx, act, ...entries);
  await queueWebhooks(tx, act, events);
  const proposed = rows.filter((row) => row.status === 'draft').map((row) => waitingTopic(row.wallet_id));
  if (proposed.length > 0) tx.afterCommit(() => act.announce(...proposed));
  return rows;
}

export function actorOf(caller: ProjectCaller): AuditActor {
  return auditActor(caller.principal);
}
