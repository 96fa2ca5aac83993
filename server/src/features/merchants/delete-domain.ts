import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { queueOwnerMail } from '../notices/queue.ts';
import { deleteDomainRow } from './domain-sql.ts';
import type { DomainRow } from './rows.ts';
import { suspendPayees } from './suspend-payees.ts';

/** Releases the name. The organization stays active; payees that rest on this domain are suspended. */
export async function deleteDomain(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  domainId: string,
): Promise<DomainRow> {
  const row = await deleteDomainRow(tx, principal.merchantId, domainId, act.now);
  if (!row) throw notFound();
  await recordAudit(tx, act, {
    merchantId: principal.merchantId,
    type: 'domain.deleted',
    actor: auditActor(principal),
    target: { type: 'domain', id: row.domain_id },
    details: { domain: row.domain, status: row.status },
  });
  const suspended = await suspendPayees(tx, act, auditActor(principal), row, 'domain_deleted');
  await queueOwnerMail(tx, act, principal, {
    change: 'domain_deleted',
    facts: [
      ['Domain', row.domain],
      ['Suspended payees', String(suspended.length)],
    ],
  });
  return row;
}
