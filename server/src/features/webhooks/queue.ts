import type { WEBHOOK_VERIFICATION_TYPE, WebhookEventType } from '@countersign/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { jobTopic } from '../../jobs/job.ts';

export interface WebhookEvent {
  merchantId: string;
  type: WebhookEventType;
  data: Record<string, unknown>;
  /** Equal to the polled event's where there is one. */
  eventId?: string;
  sequence?: number;
  /** Defaults to the act's moment. */
  occurredAt?: Date;
}

export const WEBHOOK_JOB = 'webhooks';

export interface WebhookMessage extends Omit<WebhookEvent, 'merchantId' | 'type'> {
  type: WebhookEventType | typeof WEBHOOK_VERIFICATION_TYPE;
  eventId: string;
  occurredAt: Date;
}

/** The bytes that every attempt sends. */
export function webhookBody(event: WebhookMessage): string {
  return JSON.stringify({
    id: event.eventId,
    type: event.type,
    timestamp: event.occurredAt.toISOString(),
    ...(event.sequence === undefined ? {} : { sequence: event.sequence }),
    data: event.data,
  });
}

/**
 * Writes the message and one pending delivery for each active endpoint that wants it, in the transaction of the
 * change itself: what is committed will be delivered, what is not never happened. Nobody listening: no rows.
 */
export async function queueWebhook(tx: Tx, act: Act, event: WebhookEvent): Promise<void> {
  const eventId = event.eventId ?? act.newId('evt');
  const occurredAt = event.occurredAt ?? act.now;
  const body = webhookBody({ ...event, eventId, occurredAt });
  const family = `${event.type.split('.')[0]}.*`;
  const rows = await tx`
    with wanting as (
      select webhook_endpoint_id from webhook_endpoints
      where merchant_id = ${event.merchantId} and status = 'active' and deleted_at is null
        and event_types && ${['*', event.type, family]}::text[]
    ), message as (
      insert into webhook_messages (event_id, merchant_id, type, body, created_at)
      select ${eventId}, ${event.merchantId}, ${event.type}, ${body}, ${act.now}
      where exists (select from wanting)
      returning event_id
    )
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    select 'whd_' || substr(event_id, 5, 10) || upper(substr(md5(event_id || webhook_endpoint_id), 1, 16)),
           webhook_endpoint_id, ${event.merchantId}, event_id, ${event.type}, 1, 'pending', ${act.now}, ${act.now}
    from message cross join wanting
    returning delivery_id`;
  if (rows.length > 0) announceQueue(tx, act);
}

/** After the commit the workers look at once instead of at their next turn. */
export function announceQueue(tx: Tx, act: Act): void {
  tx.afterCommit(() => act.announce(jobTopic(WEBHOOK_JOB)));
}
