import type { Feature } from '../feature.ts';
import { backlogJob } from './backlog-job.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { deliveryJob } from './job.ts';
import { webhookRetention } from './retention.ts';
import { endpointRoutes } from './routes.ts';

export const webhooksFeature = (): Feature => ({
  name: 'webhooks',
  routes: [...endpointRoutes, ...deliveryRoutes],
  jobs: [deliveryJob(), backlogJob()],
  retention: webhookRetention,
});
