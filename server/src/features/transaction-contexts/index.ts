/**
 * What the user reads beside a request: contexts, each revision of which is final. Imported by the payment core, which
 * pins a revision to a request. Guarantee: a pinned revision is never changed and never forgotten.
 */
import type { Feature } from '../feature.ts';
import { unusedContextRetention } from './retention.ts';
import { contextRoutes } from './routes.ts';

export const transactionContextsFeature = (): Feature => ({
  name: 'transaction-contexts',
  routes: contextRoutes,
  retention: [unusedContextRetention],
});
