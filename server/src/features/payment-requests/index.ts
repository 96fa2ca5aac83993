import type { Feature } from '../../feature.ts';
import { contextRoutes } from './context-routes.ts';
import { stellarToml } from './documents.ts';
import { eventsRoute, historyRoute, listRoute, readRoute } from './read-routes.ts';
import { createRoute, previewRoute, statusRoute, withdrawRoute } from './routes.ts';
import { sweepJob } from './sweep-job.ts';
import { unusedContextRetention } from './unused-contexts.ts';

export const paymentRequestsFeature: Feature = {
  name: 'payment-requests',
  documents: [stellarToml],
  routes: [
    ...contextRoutes,
    createRoute,
    previewRoute,
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
