import type { WebhookDeliveryStatus, WebhookEndpointStatus, WebhookSubscription } from '@payassent/protocol';
import type { WebhookDelivery, WebhookEndpoint } from '@payassent/protocol/records';
import { toTimestamp, toTimestampOrNull } from '../../lib/clock.ts';
import type { SealedSecrets } from './secrets.ts';

export interface EndpointRow extends SealedSecrets {
  merchant_id: string;
  url: string;
  event_types: WebhookSubscription[];
  status: WebhookEndpointStatus;
  version: number;
  failing_since: Date | null;
  inactive_since: Date | null;
  queue_full_since: Date | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

export interface DeliveryRow {
  delivery_id: string;
  event_id: string;
  event_type: WebhookDelivery['event_type'];
  webhook_endpoint_id: string;
  merchant_id: string;
  attempt: number;
  status: WebhookDeliveryStatus;
  run_at: Date;
  lease: string | null;
  parked_at: Date | null;
  http_status: number | null;
  error_class: string | null;
  duration_ms: number | null;
  created_at: Date;
  attempted_at: Date | null;
  next_attempt_at: Date | null;
}

export function endpointView(row: EndpointRow): WebhookEndpoint {
  return {
    webhook_endpoint_id: row.webhook_endpoint_id,
    url: row.url,
    event_types: row.event_types,
    status: row.status,
    queue_full_since: toTimestampOrNull(row.queue_full_since),
    version: row.version,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}

export function deliveryView(row: DeliveryRow): WebhookDelivery {
  return {
    delivery_id: row.delivery_id,
    event_id: row.event_id,
    event_type: row.event_type,
    webhook_endpoint_id: row.webhook_endpoint_id,
    attempt: row.attempt,
    status: row.status,
    http_status: row.http_status,
    error_class: row.error_class,
    duration_ms: row.duration_ms,
    created_at: toTimestamp(row.created_at),
    attempted_at: toTimestampOrNull(row.attempted_at),
    next_attempt_at: toTimestampOrNull(nextAttemptAt(row)),
  };
}

/** No attempt is planned while one is under way or while the endpoint is not active. */
function nextAttemptAt(row: DeliveryRow): Date | null {
  if (row.status === 'failed') return row.next_attempt_at;
  const isPlanned = row.status === 'pending' && row.lease === null && row.parked_at === null;
  return isPlanned ? row.run_at : null;
}
