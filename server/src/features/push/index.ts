import type { Feature } from '../../feature.ts';
import { pushJob } from './job.ts';
import { pushRoutes } from './routes.ts';

/** Rings the devices of a wallet when something waits for it: Web Push. */
export const pushFeature = (): Feature => ({ name: 'push', routes: pushRoutes, jobs: [pushJob()] });
