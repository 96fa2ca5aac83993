/**
 * The contexts shown to the customer with a request; each revision is final. Imported by the payment core, which pins a
 * revision to a request. Guarantee: a pinned revision is never changed and never deleted.
 */
import type { Feature } from '../feature.ts';
import { unusedContextRetention } from './retention.ts';
import { contextRoutes } from './routes.ts';

export const transactionContextsFeature = (): Feature => ({
  name: 'transaction-contexts',
  routes: contextRoutes,
  retention: [unusedContextRetention],
});
