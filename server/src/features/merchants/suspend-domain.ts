import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { parseDomainName } from '../../lib/domain-name.ts';
import { type AuditActor, recordAudit } from '../audit/record.ts';
import { liftDomain, lockName, nameOfDomain, suspendName } from './domain-sql.ts';
import { lapseDomain } from './lapse-domain.ts';

export interface SuspendedDomain {
  domain: string;
  changed: boolean;
}

/**
 * By order of the operator of the installation. The name counts, no matter who holds it: it stops vouching for its payees now,
 * and no one can prove it until the order is lifted. Afterwards its owner proves it again. Undefined when there is no such
 * name.
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
  await recordAudit(tx, act, {
    merchantId: owner?.merchant_id ?? null,
    type: change.isLifted ? 'domain.unsuspended' : 'domain.suspended',
    actor,
    target: { type: 'domain', id: owner?.domain_id ?? domain },
    details: { domain, ...change.details },
  });
  if (owner?.status === 'verified' && !change.isLifted)
    await lapseDomain(tx, act, owner, 'suspended_by_operator');
  return { domain, changed };
}
