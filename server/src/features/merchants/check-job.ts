import { type Act, createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Tx, transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { audit, SYSTEM_ACTOR } from '../audit/record.ts';
import { queueOperatorMail } from '../notices/queue.ts';
import { challengeRecordName, challengeUrl } from './challenge.ts';
import { judgeLook, LAPSES_AFTER_DAYS, type Look } from './check.ts';
import { claimDue, giveBack, lockWatched } from './domain-sql.ts';
import { lapseDomain } from './lapse-domain.ts';
import { readMerchant } from './merchant.ts';
import { proveDomainNow } from './prove-domain.ts';
import type { DomainRow } from './view.ts';

const NAME = 'domain-check';
/** Run in parallel: their lookups take ten seconds at most, far less than the lease. */
const BATCH = 10;
const LEASE_MS = MINUTE_MS;

const LOOKS: CounterSpec<'outcome'> = {
  name: 'svc_domain_checks_total',
  help: 'Daily checks of verified domains by outcome.',
  labels: ['outcome'],
};

/**
 * Checks the challenges of verified domains again, each once a day. Claimed with a lease, fetched outside any
 * transaction, recorded only by the process that still has the lease: several processes share the work.
 */
export const domainCheckJob: Job = {
  name: NAME,
  everyMs: MINUTE_MS,
  async run(context) {
    if (context.stopping.aborted) return false;
    const lease = Buffer.from(context.random.bytes(12)).toString('hex');
    const now = context.clock.now();
    const due = await claimDue(context.db, lease, now, addMs(now, LEASE_MS), BATCH);
    const stop = watchFor(context.stopping);
    try {
      await Promise.all(due.map((domain) => check(context, domain, lease, stop.happened)));
    } finally {
      stop.forget();
    }
    return due.length === BATCH && !context.stopping.aborted;
  },
};

async function check(context: Context, domain: DomainRow, lease: string, stopped: Promise<'stopped'>) {
  const look = await Promise.race([lookAt(context, domain), stopped]);
  if (look === 'stopped') return giveBack(context.db, lease, context.clock.now());
  const act = createAct(context, `job-${NAME}`);
  const outcome = await transaction(context.db, (tx) => recordLook(tx, act, domain, lease, look));
  context.metrics.increment(LOOKS, { outcome });
}

async function lookAt(context: Context, domain: DomainRow): Promise<Look> {
  const result = await proveDomainNow(context, domain);
  if (result.ok) return 'found';
  return result.inconclusive ? 'unknown' : 'absent';
}

/** A stopping service does not wait for responses: the next process repeats the lookup. */
function watchFor(stopping: AbortSignal): { happened: Promise<'stopped'>; forget(): void } {
  let tell = () => {};
  const happened = new Promise<'stopped'>((resolve) => {
    tell = () => resolve('stopped');
  });
  stopping.addEventListener('abort', tell, { once: true });
  return { happened, forget: () => stopping.removeEventListener('abort', tell) };
}

type RecordedLook = Look | 'lapsed' | 'overtaken';

/** Records the result of a lookup, unless the domain was deleted, lost or taken over by another process meanwhile. */
async function recordLook(
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
  await tx`
    update domains
    set check_at = ${judged.check_at}, check_lease = null, absent_at = ${judged.absent_at},
        absent_ms = ${judged.absent_ms}, absence_told = ${judged.absence_told}
    where domain_id = ${domain.domain_id} and merchant_id = ${domain.merchant_id}`;
  if (judged.tell !== undefined) await tellAbsence(tx, act, domain, judged.tell);
  return look;
}

async function tellAbsence(tx: Tx, act: Act, domain: DomainRow, days: number): Promise<void> {
  const { merchant_id: merchantId, method } = domain;
  await audit(tx, act, SYSTEM_ACTOR, merchantId, 'domain.absent', domain.domain_id, {
    domain: domain.domain,
    method,
    days,
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
