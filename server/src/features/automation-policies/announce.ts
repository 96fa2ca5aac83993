import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { type AuditActor, auditActor, recordAudit } from '../audit/record.ts';
import type { ProjectCaller, Reach } from '../project-access/reach.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { selectPolicy } from './sql.ts';
import { type PolicyRow, policyView } from './view.ts';

type PolicyAct = 'created' | 'updated' | 'activated' | 'paused' | 'resumed' | 'expired' | 'revoked';

/**
 * Reads the policy as the change left it and puts the change on record: for the audit trail and for the merchant's
 * webhooks, in the change's own transaction.
 */
export async function announcePolicy(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  policy: { policyId: string; merchantId: string },
  what: PolicyAct,
  occurredAt: Date = act.now,
): Promise<PolicyRow> {
  const { merchantId, policyId } = policy;
  const reach: Reach = { kind: 'merchant', merchantId };
  const row = await selectPolicy(tx, reach, policyId, act.now);
  if (!row) throw new Error('A policy that was just changed is not there.');
  const type = `automation_policy.${what}` as const;
  await recordAudit(tx, act, {
    merchantId,
    type,
    actor,
    target: { type: 'automation_policy', id: policyId },
    details: { connection_id: row.connection_id, status: row.status, version: row.version },
  });
  await queueWebhook(tx, act, {
    merchantId,
    type,
    data: { automation_policy: policyView(row) },
    occurredAt,
  });
  return row;
}

export function actorOf(caller: ProjectCaller): AuditActor {
  return auditActor(caller.principal);
}
