import type { Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';

export interface SuspendedPayee {
  recipient_id: string;
  name: string;
  active_version_id: string;
  /** What it rested on. */
  evidence_id: string;
  evidence_digest: string;
}

/**
 * Marks every version that was activated with evidence of this domain, whether it is the active one of its Recipient or
 * a former one that open requests are still pinned to, and suspends the Recipients whose active version is among them.
 * The caller holds the domain; Recipients are held next, then their versions, as everywhere.
 */
export async function suspendPayeesOf(
  tx: Tx,
  merchantId: string,
  domainId: string,
  now: Date,
): Promise<SuspendedPayee[]> {
  await tx`
    select r.recipient_id from recipients r
    where r.merchant_id = ${merchantId} and r.recipient_id in (
      select v.recipient_id from recipient_evidence e join recipient_versions v on v.evidence_id = e.evidence_id
      where e.source_id = ${domainId} and e.merchant_id = ${merchantId} and v.suspended_at is null)
    order by r.recipient_id for update`;
  return tx<SuspendedPayee[]>`
    with fallen as (
      update recipient_versions v set suspended_at = ${now}
      from recipient_evidence e
      where e.source_id = ${domainId} and e.merchant_id = ${merchantId} and v.evidence_id = e.evidence_id
        and v.merchant_id = ${merchantId} and v.suspended_at is null
      returning v.recipient_version_id, e.evidence_id, e.evidence_digest
    )
    update recipients r set status = 'suspended', updated_at = ${now}
    from fallen f
    where r.active_version_id = f.recipient_version_id and r.merchant_id = ${merchantId}
      and ${mayBecome(tx, 'recipient', 'suspended', 'system', { alias: 'r' })}
    returning r.recipient_id, r.name, r.active_version_id, f.evidence_id, f.evidence_digest`;
}
