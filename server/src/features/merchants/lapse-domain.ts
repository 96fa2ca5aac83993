import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { addMs } from '../../lib/clock.ts';
import { parseDomainName } from '../../lib/domain-name/index.ts';
import { type AuditActor, audit, recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { type DomainLostNotice, queueOperatorMail } from '../notices/queue.ts';
import { logPayees } from '../transparency-log/append.ts';
import { CHALLENGE_LIFE_MS } from './challenge.ts';
import { liftDomain, lockName, markLapsed, nameOfDomain, suspendName } from './domain-sql.ts';
import { readMerchant } from './merchant.ts';
import type { DomainRow } from './view.ts';

const MAX_PAYEES_NAMED = 10;

/** Ends a verified domain without an act of its owner. The caller has locked its row. */
export async function lapseDomain(tx: Tx, act: Act, domain: DomainRow, because: DomainLostNotice['because']) {
  const { merchant_id: merchantId, domain_id: domainId } = domain;
  await markLapsed(tx, merchantId, domainId, addMs(act.now, CHALLENGE_LIFE_MS));
  await audit(tx, act, SYSTEM_ACTOR, merchantId, 'domain.lapsed', domainId, {
    domain: domain.domain,
    reason: because,
  });
  const suspended = await suspendPayees(tx, act, SYSTEM_ACTOR, domain, because);
  await queueOperatorMail(tx, act, {
    merchantId,
    kind: 'domain_lost',
    payload: {
      merchant_name: (await readMerchant(tx, merchantId)).name,
      domain: domain.domain,
      because,
      suspended: suspended.length,
      payees: suspended.slice(0, MAX_PAYEES_NAMED).map((payee) => payee.name),
    },
  });
}

interface SuspendedDomain {
  domain: string;
  changed: boolean;
}

/**
 * By order of the host. The name counts, whichever merchant has it: its payees are no longer verified, and it cannot be
 * proved until the order is lifted. Afterwards its owner proves it again. Undefined when there is no such name.
 */
export async function changeDomainSuspension(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  target: string,
  change: { isLifted: boolean; details: Record<string, unknown> },
): Promise<SuspendedDomain | undefined> {
  const parsed = parseDomainName((await nameOfDomain(tx, target)) ?? target);
  if (!parsed.ok) return undefined;
  const { domain } = parsed;
  const owner = await lockName(tx, domain);
  const changed = change.isLifted ? await liftDomain(tx, domain) : await suspendName(tx, domain, act.now);
  if (!changed) return { domain, changed };
  await audit(
    tx,
    act,
    actor,
    owner?.merchant_id ?? null,
    change.isLifted ? 'domain.unsuspended' : 'domain.suspended',
    owner?.domain_id ?? domain,
    { domain, ...change.details },
  );
  if (owner?.status === 'verified' && !change.isLifted)
    await lapseDomain(tx, act, owner, 'suspended_by_operator');
  return { domain, changed };
}

type LossOfDomain =
  | 'domain_deleted'
  | 'proved_by_another_organization'
  | 'challenge_absent'
  | 'suspended_by_operator';

/** Keeps one statement below its limit of values. */
const AUDIT_BATCH = 1000;

/**
 * In the transaction in which a domain ends: nothing that depends on its proof is paid, or shown as verified, from that
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

interface SuspendedPayee {
  recipient_id: string;
  name: string;
  active_version_id: string;
  /** The evidence of its activation. */
  evidence_id: string;
  evidence_digest: string;
}

/**
 * Marks every version that was activated with evidence of this domain, whether it is the active one of its payee or a
 * previous one that open requests are still pinned to, and suspends the payees whose active version is among them. The
 * caller has locked the domain; payees are locked next, then their versions, as everywhere.
 */
async function suspendPayeesOf(
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
