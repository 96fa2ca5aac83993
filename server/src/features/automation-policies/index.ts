import type { Feature } from '../feature.ts';
import { policyExpiryJob } from './job.ts';
import { policyRoutes } from './routes.ts';

/** What an agent may pay by itself: drafted by anyone, allowed by the user alone, held by exact limits. */
export const automationPoliciesFeature = (): Feature => ({
  name: 'automation-policies',
  routes: policyRoutes,
  jobs: [policyExpiryJob],
});
