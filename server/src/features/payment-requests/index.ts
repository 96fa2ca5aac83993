import type { Engine } from '../../payments/index.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import type { Feature } from '../feature.ts';
import { stellarToml } from './documents.ts';
import { readRoutes } from './read-routes.ts';
import { requestRoutes } from './routes.ts';
import { sweepJob } from './sweep-job.ts';

export const paymentRequestsFeature = (parts: { engine: Engine; lastSeen: LastSeen }): Feature => ({
  name: 'payment-requests',
  documents: [stellarToml(parts.engine.links)],
  routes: [...requestRoutes(parts), ...readRoutes(parts)],
  jobs: [sweepJob],
});
