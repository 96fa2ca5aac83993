import { createAct } from '../../act.ts';
import { transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { hasDuePolicies } from './end-sql.ts';
import { expireDuePolicies } from './expire.ts';

const BATCH = 50;

/** Expires the policies that no call has met yet. */
export const policyExpiryJob: Job = {
  name: 'automation-policy-expiry',
  everyMs: 1000,
  async run(context) {
    const act = createAct(context, 'job_automation_policy_expiry');
    if (!(await hasDuePolicies(context.db, act.now))) return false;
    const expired = await transaction(context.db, (tx) => expireDuePolicies(tx, act, { limit: BATCH }));
    return expired === BATCH && !context.stopping.aborted;
  },
};
