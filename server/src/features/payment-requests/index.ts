import type { Feature } from '../../feature.ts';
import { contextRoutes } from './context-routes.ts';
import { eventsRoute, listRoute, readRoute } from './read-routes.ts';
import { createRoute, statusRoute } from './routes.ts';
import { sweepJob } from './sweep-job.ts';
import { unusedContextRetention } from './unused-contexts.ts';

export const paymentRequestsFeature: Feature = {
  name: 'payment-requests',
  routes: [...contextRoutes, createRoute, listRoute, eventsRoute, readRoute, statusRoute],
  jobs: [sweepJob],
  retention: [unusedContextRetention],
};
