import type { Feature } from '../feature.ts';
import { pushJob } from './job.ts';
import { pushRoutes } from './routes.ts';
import { createVapidKeys } from './vapid.ts';

/** Rings the devices of a wallet when something waits for it: Web Push. */
export function pushFeature(): Feature {
  const vapidKeys = createVapidKeys();
  return { name: 'push', routes: pushRoutes(vapidKeys), jobs: [pushJob(vapidKeys)] };
}
