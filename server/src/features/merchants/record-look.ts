import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { queueOperatorMail } from '../notices/queue.ts';
import { challengeRecordName, challengeUrl } from './challenge.ts';
import { judgeLook, LAPSES_AFTER_DAYS, type Look } from './check.ts';
import { lockWatched, updateWatch } from './domain-sql.ts';
import { lapseDomain } from './lapse-domain.ts';
import { readMerchant } from './merchant.ts';
import type { DomainRow } from './rows.ts';

export type RecordedLook = Look | 'lapsed' | 'overtaken';

/** Writes down what a look found, unless the domain was deleted, lost or taken over by another process meanwhile. */
export async function recordLook(
  tx: Tx,
  act: Act,
  seen: Pick<DomainRow, 'domain_id' | 'merchant_id'>,
  lease: string,
  look: Look,
): Promise<RecordedLook> {
  const domain = await lockWatched(tx, seen.merchant_id, seen.domain_id, lease);
  if (!domain) return 'overtaken';
  const judged = judgeLook(domain, look, act.now, (act.randomBytes(1)[0] ?? 0) / 256);
  if (judged.lapses) {
    await lapseDomain(tx, act, domain, 'challenge_absent');
    return 'lapsed';
  }
  await updateWatch(tx, domain.merchant_id, domain.domain_id, judged);
  if (judged.tell !== undefined) await tellAbsence(tx, act, domain, judged.tell);
  return look;
}

async function tellAbsence(tx: Tx, act: Act, domain: DomainRow, days: number): Promise<void> {
  const { merchant_id: merchantId, method } = domain;
  await recordAudit(tx, act, {
    merchantId,
    type: 'domain.absent',
    actor: SYSTEM_ACTOR,
    target: { type: 'domain', id: domain.domain_id },
    details: { domain: domain.domain, method, days },
  });
  await queueOperatorMail(tx, act, {
    merchantId,
    kind: 'domain_absent',
    payload: {
      merchant_name: (await readMerchant(tx, merchantId)).name,
      domain: domain.domain,
      days,
      lapses_after_days: LAPSES_AFTER_DAYS,
      method,
      place: method === 'dns' ? challengeRecordName(domain.domain) : challengeUrl(domain.domain),
      expected: domain.challenge,
    },
  });
}
