import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { closeOverdue } from './close.ts';

/** Expires the payments that no call has touched, and returns what they had reserved. */
export const intentExpiryJob: Job = {
  name: 'agent-payment-expiry',
  everyMs: 500,
  async run(context) {
    const more = await closeOverdue(context.db, createAct(context, 'job_agent_payment_expiry'));
    return more && !context.stopping.aborted;
  },
};
