import { randomBytes } from 'node:crypto';
import { newId, type WebhookEventType } from '@payassent/protocol';
import { Webhook } from 'standardwebhooks';
import { createAct } from '../../../server/src/act.ts';
import type { Context } from '../../../server/src/context.ts';
import { type Database, transaction } from '../../../server/src/db/open.ts';
import { queueWebhook, WEBHOOK_JOB } from '../../../server/src/features/webhooks/queue.ts';
import { jobTopic } from '../../../server/src/jobs/job.ts';
import type { Body, Caller } from '../service/client.ts';
import type { Behaviour, ReceivedRequest, Script, TestReceiver } from '../surroundings/http-receiver.ts';
import { succeed, type TestSession } from './merchants.ts';

interface Callable {
  call: Caller;
}

interface TestEndpoint {
  endpointId: string;
  secret: string;
  version: number;
}

export async function createEndpoint(
  service: Callable,
  merchant: { session: TestSession },
  body: { url: string; event_types?: string[] },
): Promise<TestEndpoint> {
  const { session } = merchant;
  const made = await succeed(service.call('POST', '/v1/webhook-endpoints', { session, body }));
  const { webhook_endpoint: endpoint, secret } = made.body;
  return { endpointId: endpoint.webhook_endpoint_id, secret, version: endpoint.version };
}

/** An endpoint whose receiver has responded to the challenge. The receiver then follows `script`. */
export async function activeEndpoint(
  service: Callable,
  merchant: { session: TestSession },
  receiver: TestReceiver,
  options: { path?: string; event_types?: string[]; script?: Script } = {},
): Promise<TestEndpoint> {
  receiver.script(answering(options.script));
  const endpoint = await createEndpoint(service, merchant, {
    url: `${receiver.url}${options.path ?? '/hook'}`,
    ...(options.event_types ? { event_types: options.event_types } : {}),
  });
  const verified = await succeed(
    service.call('POST', `/v1/webhook-endpoints/${endpoint.endpointId}/verify`, {
      session: merchant.session,
    }),
  );
  return { ...endpoint, version: verified.body.webhook_endpoint.version };
}

/** Responds to challenges; follows the script for everything else, 200 by default. */
export function answering(script: Script = { kind: 'answer' }): Script {
  return (request, index): Behaviour => {
    const challenge = challengeIn(request);
    if (challenge !== undefined) return { kind: 'answer', body: challenge };
    return typeof script === 'function' ? script(request, index) : script;
  };
}

export function challengeIn(request: ReceivedRequest): string | undefined {
  if (!request.text.includes('"webhook.verification"')) return undefined;
  return JSON.parse(request.text).data.challenge;
}

/** What came besides challenges. */
export function eventsAt(receiver: TestReceiver): ReceivedRequest[] {
  return receiver.requests.filter((request) => challengeIn(request) === undefined);
}

/** As a merchant's receiver would: with the public library, over the raw body. Throws when it is not genuine. */
export function verified(request: ReceivedRequest, secret: string): Body {
  return new Webhook(secret).verify(request.body.toString('utf8'), request.headers);
}

/** Events of one merchant, each committed separately; returns their ids. */
export async function causeEvents(
  context: Context,
  merchantId: string,
  count = 1,
  type: WebhookEventType = 'connection.created',
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const act = createAct(context, 'test');
    const eventId = act.newId('evt');
    const data = { connection: { connection_id: `con_${index}`, note: 'über — 支払い 🧾' } };
    await transaction(context.db, (tx) => queueWebhook(tx, act, { merchantId, type, data, eventId }));
    ids.push(eventId);
  }
  return ids;
}

/** Deliveries as the hot statements write them, in one batch: one event for all these endpoints, `count` times. */
export async function fillQueue(
  db: Database,
  merchantId: string,
  endpointIds: readonly string[],
  count: number,
  now: Date,
): Promise<string[]> {
  const events = Array.from({ length: count }, () =>
    newId('evt', now.getTime(), (length) => randomBytes(length)),
  );
  const bodies = events.map((id) =>
    JSON.stringify({ id, type: 'connection.created', timestamp: now, data: { filler: 'x'.repeat(600) } }),
  );
  await db`
    with event as (
      select * from unnest(${events}::text[], ${bodies}::text[]) as event (event_id, body)
    ), message as (
      insert into webhook_messages (event_id, merchant_id, type, body, created_at)
      select event_id, ${merchantId}, 'connection.created', body, ${now} from event
    )
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    select 'whd_' || substr(event_id, 5, 10) || upper(substr(md5(event_id || endpoint_id), 1, 16)),
           endpoint_id, ${merchantId}, event_id, 'connection.created', 1, 'pending', ${now}, ${now}
    from event cross join unnest(${[...endpointIds]}::text[]) endpoint_id`;
  return events;
}

/** Marks an endpoint as verified; for receivers that could never respond to a challenge. */
export async function forceActive(db: Database, endpointId: string): Promise<void> {
  await db`
    update webhook_endpoints set status = 'active', inactive_since = null
    where webhook_endpoint_id = ${endpointId}`;
}

export async function listDeliveries(
  service: Callable,
  merchant: { session: TestSession },
  query: Record<string, string | number> = {},
): Promise<Body[]> {
  const { session } = merchant;
  const received = await succeed(service.call('GET', '/v1/webhook-deliveries', { session, query }));
  return received.body.webhook_deliveries;
}

/** Makes the workers check immediately; for tests that move the clock. */
export function wakeWorkers(context: Context): void {
  context.signals.announce(jobTopic(WEBHOOK_JOB));
}

export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error('did not come about in time');
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
