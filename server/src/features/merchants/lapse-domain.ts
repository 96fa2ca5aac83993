import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { addMs } from '../../lib/clock.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { type DomainLostNotice, queueOperatorMail } from '../notices/queue.ts';
import { CHALLENGE_LIFE_MS } from './challenge.ts';
import { markLapsed } from './domain-sql.ts';
import { readMerchant } from './merchant.ts';
import type { DomainRow } from './rows.ts';
import { suspendPayees } from './suspend-payees.ts';

const MAX_PAYEES_NAMED = 10;

/** A verified domain ends without its owner's doing. The caller holds its row. */
export async function lapseDomain(
  tx: Tx,
  act: Act,
  domain: DomainRow,
  because: DomainLostNotice['because'],
): Promise<void> {
  const { merchant_id: merchantId, domain_id: domainId } = domain;
  await markLapsed(tx, merchantId, domainId, addMs(act.now, CHALLENGE_LIFE_MS));
  await recordAudit(tx, act, {
    merchantId,
    type: 'domain.lapsed',
    actor: SYSTEM_ACTOR,
    target: { type: 'domain', id: domainId },
    details: { domain: domain.domain, reason: because },
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
