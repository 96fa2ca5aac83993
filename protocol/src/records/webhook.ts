import type { Static } from 'typebox';
import { WEBHOOK_DELIVERY_STATUSES, WEBHOOK_ENDPOINT_STATUSES } from '../enumerations.ts';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_SUBSCRIPTIONS,
  WEBHOOK_VERIFICATION_TYPE,
  type WebhookSubscription,
} from '../event-types.ts';
import {
  freeObject,
  id,
  integer,
  nullableInteger,
  nullableText,
  nullableTime,
  oneOf,
  record,
  Type,
  text,
  time,
  version,
} from './schema.ts';

export const WebhookEndpointSchema = record('WebhookEndpoint', 'An address that gets signed messages.', {
  webhook_endpoint_id: id('whe', 'The endpoint.'),
  url: text('Where messages are sent.'),
  event_types: Type.Array(
    Type.Unsafe<WebhookSubscription>({ type: 'string', enum: [...WEBHOOK_SUBSCRIPTIONS] }),
    { description: 'What it wants: `*`, an exact type, or `<prefix>.*`.' },
  ),
  status: oneOf(WEBHOOK_ENDPOINT_STATUSES, 'Messages are sent only to an `active` endpoint.'),
  queue_full_since: nullableTime(
    'Since then so much waits for the endpoint that it gets no new deliveries; null otherwise.',
  ),
  version: version(),
  created_at: time('When it was created.'),
  updated_at: time('When the record last changed.'),
});
export type WebhookEndpoint = Static<typeof WebhookEndpointSchema>;

const SENT_TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_VERIFICATION_TYPE] as const;

export const WebhookDeliverySchema = record(
  'WebhookDelivery',
  'One attempt to deliver an event. Never bodies, headers or secrets.',
  {
    delivery_id: id('whd', 'The attempt.'),
    event_id: text('The event; the same for every attempt.'),
    event_type: oneOf(SENT_TYPES, 'What the event is about.'),
    webhook_endpoint_id: id('whe', 'The endpoint.'),
    attempt: integer('Counts the attempts for this event from 1.', 1),
    status: oneOf(WEBHOOK_DELIVERY_STATUSES, 'Outcome of the attempt.'),
    http_status: nullableInteger('The status of the response; null without one.', 100, 599),
    error_class: nullableText('Why there was no usable response; null when there was one.'),
    duration_ms: nullableInteger('How long the attempt took, in milliseconds; null before it.'),
    created_at: time('When the attempt was planned.'),
    attempted_at: nullableTime('When it was made; null before.'),
    next_attempt_at: nullableTime('When the next attempt is due; null when there is none.'),
  },
);
export type WebhookDelivery = Static<typeof WebhookDeliverySchema>;

/**
 * The signed body. `data` carries the record the type speaks of: `payment_request`, `connection`,
 * `recipient` with `recipient_version`, `agent_payment`, `automation_policy`, or `challenge`.
 */
export const WebhookBodySchema = record('WebhookBody', 'The signed body of a webhook.', {
  id: text('The event; the same for every attempt.'),
  type: oneOf(SENT_TYPES, 'What happened.'),
  timestamp: time('When it happened.'),
  sequence: Type.Optional(integer('The number of the polled event, where there is one.', 1)),
  data: freeObject('The record that the type speaks of.'),
});
export type WebhookBody = Static<typeof WebhookBodySchema>;
