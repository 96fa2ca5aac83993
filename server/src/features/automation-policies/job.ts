import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { expirePoliciesOfAll } from './expire.ts';

/** Expires the policies that no call has met yet. */
export const policyExpiryJob: Job = {
  name: 'automation-policy-expiry',
  everyMs: 1000,
  async run(context) {
    const more = await expirePoliciesOfAll(context.db, createAct(context, 'job_automation_policy_expiry'));
    return more && !context.stopping.aborted;
  },
};
