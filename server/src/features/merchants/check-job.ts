import { createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import type { Look } from './check.ts';
import { claimDue, giveBack } from './domain-sql.ts';
import { proveDomainNow } from './prove-domain.ts';
import { recordLook } from './record-look.ts';
import type { DomainRow } from './rows.ts';

const NAME = 'domain-check';
/** At once: their looks take ten seconds at the most, far less than the lease. */
const BATCH = 10;
const LEASE_MS = MINUTE_MS;

const LOOKS: CounterSpec<'outcome'> = {
  name: 'svc_domain_checks_total',
  help: 'Daily looks at verified domains by outcome.',
  labels: ['outcome'],
};

/**
 * Looks up the challenges of verified domains again, each once a day. Claimed with a lease, looked up outside any
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

async function check(
  context: Context,
  domain: DomainRow,
  lease: string,
  stopped: Promise<'stopped'>,
): Promise<void> {
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

/** A stopping service does not wait for answers: the next one to run looks instead. */
function watchFor(stopping: AbortSignal): { happened: Promise<'stopped'>; forget(): void } {
  let tell = () => {};
  const happened = new Promise<'stopped'>((resolve) => {
    tell = () => resolve('stopped');
  });
  stopping.addEventListener('abort', tell, { once: true });
  return { happened, forget: () => stopping.removeEventListener('abort', tell) };
}
