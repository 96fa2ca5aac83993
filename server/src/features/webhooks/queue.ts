import { exactJson, type WEBHOOK_VERIFICATION_TYPE, type WebhookEventType } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { isDistributed } from '../../db/layout.ts';
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
  return exactJson({
    id: event.eventId,
    type: event.type,
    timestamp: event.occurredAt.toISOString(),
    ...(event.sequence === undefined ? {} : { sequence: event.sequence }),
    data: event.data,
  });
}

/**
 * The message and one delivery for each endpoint that wants it, as parts of a statement: they follow a query `said` with
 * event_id, merchant_id, type and now. `body` is the text of the message, from a row `s` of it.
 */
export const webhookRows = (body: string) => `
  wanted as materialized (
    select s.event_id, s.merchant_id, s.type, s.now, w.webhook_endpoint_id
    from said s join webhook_endpoints w
      on w.merchant_id = s.merchant_id and w.status = 'active' and w.deleted_at is null
        and w.queue_full_since is null and w.event_types && array['*', split_part(s.type, '.', 1) || '.*', s.type]
  ), message as (
    insert into webhook_messages (event_id, merchant_id, type, body, created_at)
    select s.event_id, s.merchant_id, s.type, ${body}, s.now
    from said s where exists (select from wanted w where w.event_id = s.event_id)
  ), delivery as (
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    select 'whd_' || substr(event_id, 5, 10) || upper(substr(md5(event_id || webhook_endpoint_id), 1, 16)),
           webhook_endpoint_id, merchant_id, event_id, type, 1, 'pending', now, now
    from wanted
    returning delivery_id
  )`;

const ROWS = webhookRows('s.body');

/**
 * Writes the message and one pending delivery for each active endpoint that wants it, in the transaction of the
 * change itself: what is committed will be delivered, what is not never happened. Nobody listening: no rows.
 */
export function queueWebhook(tx: Tx, act: Act, event: WebhookEvent): Promise<void> {
  return queueWebhooks(tx, act, [event]);
}

/** The same for many events, which may be of several merchants, in one statement. */
export async function queueWebhooks(tx: Tx, act: Act, events: readonly WebhookEvent[]): Promise<void> {
  if (events.length === 0) return;
  const messages = events.map((event) => ({
    ...event,
    eventId: event.eventId ?? act.newId('evt'),
    occurredAt: event.occurredAt ?? act.now,
  }));
  if (isDistributed(tx)) return queueOnMachines(tx, act, messages);
  const rows = await tx`
    with said as materialized (
      select event_id, merchant_id, type, body, ${act.now}::timestamptz as now
      from unnest(${messages.map(({ eventId }) => eventId)}::text[],
                  ${messages.map(({ merchantId }) => merchantId)}::text[],
                  ${messages.map(({ type }) => type)}::text[],
                  ${messages.map(webhookBody)}::text[]) as s(event_id, merchant_id, type, body)
    ), ${tx.unsafe(ROWS)}
    select delivery_id from delivery`;
  if (rows.length > 0) announceQueue(tx, act);
}

async function queueOnMachines(
  tx: Tx,
  act: Act,
  messages: readonly (WebhookMessage & { merchantId: string })[],
): Promise<void> {
  for (const merchantId of new Set(messages.map((message) => message.merchantId))) {
    const said = messages
      .filter((message) => message.merchantId === merchantId)
      .map((message) => ({
        event_id: message.eventId,
        type: message.type,
        body: webhookBody(message),
        now: act.now,
      }));
    const [row] = await tx<{ deliveries: number }[]>`
      select say_events(${merchantId}::id, ${exactJson(said)}::text) as deliveries`;
    if (row && row.deliveries > 0) announceQueue(tx, act);
  }
}

/** After the commit the workers look at once instead of at their next turn. */
export function announceQueue(tx: Tx, act: Act): void {
  tx.afterCommit(() => act.announce(jobTopic(WEBHOOK_JOB)));
}
