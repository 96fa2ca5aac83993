import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { settleOverdue } from './settle.ts';

/** Expires the intents that no call has met yet, and gives back what they had reserved. */
export const intentExpiryJob: Job = {
  name: 'agent-payment-expiry',
  everyMs: 500,
  async run(context) {
    const more = await settleOverdue(context.db, createAct(context, 'job_agent_payment_expiry'));
    return more && !context.stopping.aborted;
  },
};
