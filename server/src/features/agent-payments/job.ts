import { createAct } from '../../act.ts';
import { transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { settleIntents } from './settle.ts';

const BATCH = 50;

/** Expires the intents that nobody has met yet, and gives back what they had reserved. */
export const intentExpiryJob: Job = {
  name: 'agent-payment-expiry',
  everyMs: 500,
  async run(context) {
    const act = createAct(context, 'job_agent_payment_expiry');
    const settled = await transaction(context.db, (tx) =>
      settleIntents(tx, act, { kind: 'overdue', limit: BATCH }),
    );
    return settled.length === BATCH && !context.stopping.aborted;
  },
};
