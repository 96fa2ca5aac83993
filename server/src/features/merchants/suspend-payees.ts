import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { type AuditActor, recordAudit } from '../audit/record.ts';
import { logPayees } from '../transparency-log/append.ts';
import { type SuspendedPayee, suspendPayeesOf } from './payees-sql.ts';
import type { DomainRow } from './rows.ts';

export type LossOfDomain =
  | 'domain_deleted'
  | 'proved_by_another_organization'
  | 'challenge_absent'
  | 'suspended_by_operator';

/** So that one statement does not carry more values than it may. */
const AUDIT_BATCH = 1000;

/**
 * In the transaction in which a domain ends: nothing that rests on its proof is paid, or shown as verified, from that
 * commit on. New evidence and an activation with it bring a payee back.
 */
export async function suspendPayees(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  domain: DomainRow,
  because: LossOfDomain,
): Promise<SuspendedPayee[]> {
  const suspended = await suspendPayeesOf(tx, domain.merchant_id, domain.domain_id, act.now);
  for (let start = 0; start < suspended.length; start += AUDIT_BATCH) {
    await recordAudit(
      tx,
      act,
      ...suspended.slice(start, start + AUDIT_BATCH).map((payee) => ({
        merchantId: domain.merchant_id,
        type: 'recipient.suspended' as const,
        actor,
        target: { type: 'recipient' as const, id: payee.recipient_id },
        details: {
          recipient_version_id: payee.active_version_id,
          domain_id: domain.domain_id,
          domain: domain.domain,
          because,
        },
      })),
    );
  }
  await logPayees(
    tx,
    act,
    'payee.suspended',
    suspended.map(({ evidence_id, evidence_digest }) => ({
      evidenceId: evidence_id,
      domain: domain.domain,
      evidenceDigest: evidence_digest,
    })),
  );
  return suspended;
}
