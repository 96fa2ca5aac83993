import type { LastSeen } from '../callers/last-seen.ts';
import type { Feature } from '../feature.ts';
import { contextRoutes } from './context-routes.ts';
import { stellarToml } from './documents.ts';
import type { Engine } from './engine.ts';
import { readRoutes } from './read-routes.ts';
import { requestRoutes } from './routes.ts';
import { sweepJob } from './sweep-job.ts';
import { unusedContextRetention } from './unused-contexts.ts';

export const paymentRequestsFeature = (parts: { engine: Engine; lastSeen: LastSeen }): Feature => ({
  name: 'payment-requests',
  documents: [stellarToml(parts.engine.links)],
  routes: [...contextRoutes, ...requestRoutes(parts), ...readRoutes(parts)],
  jobs: [sweepJob],
  retention: [unusedContextRetention],
});
