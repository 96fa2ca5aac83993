import type { Feature } from '../feature.ts';
import { authenticateMerchant } from './authenticate.ts';
import { mailJob } from './mail-job.ts';
import { accountRetention } from './retention.ts';
import { accountRoutes } from './routes.ts';

/** Operators: how they get in by mail, what they may enter, and their sessions. */
export const merchantAccountsFeature = (): Feature => ({
  name: 'merchant-accounts',
  routes: accountRoutes,
  jobs: [mailJob],
  retention: accountRetention,
  authenticators: { merchant: authenticateMerchant },
});
