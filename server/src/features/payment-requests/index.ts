import type { Feature } from '../../feature.ts';
import { contextRoutes } from './context-routes.ts';
import { eventsRoute, historyRoute, listRoute, readRoute } from './read-routes.ts';
import { createRoute, statusRoute, withdrawRoute } from './routes.ts';
import { sweepJob } from './sweep-job.ts';
import { unusedContextRetention } from './unused-contexts.ts';

export const paymentRequestsFeature: Feature = {
  name: 'payment-requests',
  routes: [
    ...contextRoutes,
    createRoute,
    listRoute,
    eventsRoute,
    readRoute,
    historyRoute,
    statusRoute,
    withdrawRoute,
  ],
  jobs: [sweepJob],
  retention: [unusedContextRetention],
};
