// Webhooks: messages, their deliveries with retries, and in `endpoints/` where they go. Features import `queue`; push
// imports `schedule`, `send` and the checks of addresses. A message commits with its event, is sent at least once, and
// one slow receiver delays no other.

import type { RetentionRule } from '../../jobs/retention.ts';
import { RETENTION } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { backlogJob } from './backlog-job.ts';
import { deleteOldAttempts, deleteOldMessages } from './delivery-sql.ts';
import { deliveryRoutes, endpointRoutes } from './endpoints/routes.ts';
import { deliveryJob } from './job.ts';

export const webhooksFeature = (): Feature => ({
  name: 'webhooks',
  routes: [...endpointRoutes, ...deliveryRoutes],
  jobs: [deliveryJob(), backlogJob()],
  retention: webhookRetention,
});

export const ATTEMPT_DAYS = RETENTION.webhookAttempts.days;
export const MESSAGE_DAYS = RETENTION.webhookMessages.days;

export const webhookRetention: readonly RetentionRule[] = [
  {
    name: 'webhook messages',
    tables: ['webhook_messages'],
    purge: (db, now, limit) => deleteOldMessages(db, addMs(now, -MESSAGE_DAYS * DAY_MS), limit),
  },
  {
    name: 'webhook deliveries',
    tables: ['webhook_deliveries'],
    purge: (db, now, limit) => deleteOldAttempts(db, addMs(now, -ATTEMPT_DAYS * DAY_MS), limit),
  },
];
