import { exactJson, type WEBHOOK_VERIFICATION_TYPE, type WebhookEventType } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { jobTopic } from '../../jobs/job.ts';
import { statementsOf } from '../../storage/index.ts';

export interface WebhookEvent {
  merchantId: string;
  type: WebhookEventType;
  data: Record<string, unknown>;
  /** The id of the polled event, where there is one. */
  eventId?: string;
  sequence?: number;
  /** Defaults to the act's time. */
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
 * Writes the message and one pending delivery for each active endpoint subscribed to it, in the transaction of the
 * change itself: what commits will be delivered, what does not never happened. No subscriber: no rows.
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
  const said = messages.map((message) => ({ ...message, body: webhookBody(message) }));
  if ((await statementsOf(tx).queueMessages(tx, said, act.now)) > 0) announceQueue(tx, act);
}

/** After the commit the workers check immediately instead of at their next turn. */
export function announceQueue(tx: Tx, act: Act): void {
  tx.afterCommit(() => act.announce(jobTopic(WEBHOOK_JOB)));
}
