import { type Static, Type } from 'typebox';
import { WEBHOOK_DELIVERY_STATUSES, WEBHOOK_ENDPOINT_STATUSES } from '../enumerations.ts';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_SUBSCRIPTIONS, WEBHOOK_VERIFICATION_TYPE } from '../event-types.ts';
import {
  freeObject,
  id,
  integer,
  nullableInteger,
  nullableText,
  nullableTime,
  oneOf,
  record,
  text,
  time,
  version,
} from './schema.ts';

export const WebhookEndpointSchema = record('WebhookEndpoint', {
  webhook_endpoint_id: id('whe'),
  url: text(),
  event_types: Type.Array(oneOf(WEBHOOK_SUBSCRIPTIONS)),
  status: oneOf(WEBHOOK_ENDPOINT_STATUSES),
  /** Since then so much waits for the endpoint that it gets no new deliveries; null otherwise. */
  queue_full_since: nullableTime(),
  version: version(),
  created_at: time(),
  updated_at: time(),
});
export type WebhookEndpoint = Static<typeof WebhookEndpointSchema>;

const SENT_TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_VERIFICATION_TYPE] as const;

/** One row per attempt. Never bodies, headers or secrets. */
export const WebhookDeliverySchema = record('WebhookDelivery', {
  delivery_id: id('whd'),
  event_id: text(),
  event_type: oneOf(SENT_TYPES),
  webhook_endpoint_id: id('whe'),
  attempt: integer(1),
  status: oneOf(WEBHOOK_DELIVERY_STATUSES),
  http_status: nullableInteger(100, 599),
  error_class: nullableText(),
  duration_ms: nullableInteger(0),
  created_at: time(),
  attempted_at: nullableTime(),
  next_attempt_at: nullableTime(),
});
export type WebhookDelivery = Static<typeof WebhookDeliverySchema>;

/**
 * The signed body. `data` carries the record the type speaks of: `payment_request`, `connection`,
 * `recipient` with `recipient_version`, `agent_payment`, `automation_policy`, or `challenge`.
 */
export const WebhookBodySchema = record('WebhookBody', {
  id: text(),
  type: oneOf(SENT_TYPES),
  timestamp: time(),
  sequence: Type.Optional(integer(1)),
  data: freeObject(),
});
export type WebhookBody = Static<typeof WebhookBodySchema>;
