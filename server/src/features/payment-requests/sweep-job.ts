import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { CLOSED_AT_ONCE, closeEnded } from '../../payments/index.ts';

/**
 * Expires what no call has closed yet. Several processes may run it concurrently: each skips what another has locked.
 */
export const sweepJob: Job = {
  name: 'payment-request-expiry',
  everyMs: 500,
  async run(context) {
    const act = createAct(context, 'job_payment_request_expiry');
    const settled = await closeEnded(context.db, act, { kind: 'overdue', limit: CLOSED_AT_ONCE });
    return settled.length === CLOSED_AT_ONCE && !context.stopping.aborted;
  },
};
