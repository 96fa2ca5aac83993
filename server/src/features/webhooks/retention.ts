import type { RetentionRule } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { RETENTION } from '../../limits.ts';
import { deleteOldAttempts, deleteOldMessages } from './delivery-sql.ts';

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
