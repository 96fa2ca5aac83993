import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { deleteDomainRow } from './domain-sql.ts';
import type { DomainRow } from './rows.ts';

/** Releases the name. The organization stays active, and evidence already made stays valid. */
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
  return row;
}
