import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { expireOverdue } from './settle.ts';

/**
 * Small enough that a decision on a request of the same connection, which waits for the connection's counter, never
 * waits long; a backlog is worked off batch after batch.
 */
const BATCH = 200;

/** Expires what nobody has met yet. Several processes may do it side by side: each skips what another one holds. */
export const sweepJob: Job = {
  name: 'payment-request-expiry',
  everyMs: 500,
  async run(context) {
    const act = createAct(context, 'job_payment_request_expiry');
    const settled = await expireOverdue(context.db, act, { kind: 'overdue', limit: BATCH });
    return settled.length === BATCH && !context.stopping.aborted;
  },
};
