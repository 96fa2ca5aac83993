import {
  type WebhookDelivery,
  WebhookDeliverySchema,
  type WebhookEndpoint,
  WebhookEndpointSchema,
} from '@payassent/protocol/records';
import { type Stored, viewOf } from '../../record.ts';
import type { SealedSecrets } from './secrets.ts';

export interface EndpointRow extends SealedSecrets, Stored<Omit<WebhookEndpoint, 'webhook_endpoint_id'>> {
  merchant_id: string;
  failing_since: Date | null;
  inactive_since: Date | null;
  deleted_at: Date | null;
}

export interface DeliveryRow extends Stored<WebhookDelivery> {
  merchant_id: string;
  run_at: Date;
  lease: string | null;
  parked_at: Date | null;
}

export const endpointView = viewOf(WebhookEndpointSchema);

const publishDelivery = viewOf(WebhookDeliverySchema);

export function deliveryView(row: DeliveryRow): WebhookDelivery {
  return publishDelivery({ ...row, next_attempt_at: nextAttemptAt(row) });
}

/** No attempt is planned while one is in flight or while the endpoint is not active. */
function nextAttemptAt(row: DeliveryRow): Date | null {
  if (row.status === 'failed') return row.next_attempt_at;
  const isPlanned = row.status === 'pending' && row.lease === null && row.parked_at === null;
  return isPlanned ? row.run_at : null;
}
