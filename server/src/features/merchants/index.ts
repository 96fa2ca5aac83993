import type { Feature } from '../feature.ts';
import { domainCheckJob } from './check-job.ts';
import { domainRoutes } from './domain-routes.ts';
import { merchantRoutes } from './routes.ts';

/** Organizations and the domains that prove who they are. */
export const merchantsFeature = (): Feature => ({
  name: 'merchants',
  routes: [...merchantRoutes, ...domainRoutes],
  jobs: [domainCheckJob],
});
