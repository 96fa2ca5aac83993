import type { Feature } from '../feature.ts';
import { recallJob } from './recall-job.ts';
import { recipientRoutes } from './routes.ts';
import { versionRoutes } from './version-routes.ts';

/** Payees: versions whose facts never change, the evidence for them, and which one money goes to. */
export const recipientsFeature = (): Feature => ({
  name: 'recipients',
  jobs: [recallJob],
  routes: [...recipientRoutes, ...versionRoutes],
});
