import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { SETTLED_AT_ONCE, settleEnded } from './settle.ts';

/** Expires what no call has settled yet. Several processes may run it at once: each skips what another has locked. */
export const sweepJob: Job = {
  name: 'payment-request-expiry',
  everyMs: 500,
  async run(context) {
    const act = createAct(context, 'job_payment_request_expiry');
    const settled = await settleEnded(context.db, act, { kind: 'overdue', limit: SETTLED_AT_ONCE });
    return settled.length === SETTLED_AT_ONCE && !context.stopping.aborted;
  },
};
