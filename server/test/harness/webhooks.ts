import type { WebhookEventType } from '@countersign/protocol';
import { Webhook } from 'standardwebhooks';
import { createAct } from '../../src/act.ts';
import type { Context } from '../../src/context.ts';
import { transaction } from '../../src/db/open.ts';
import { queueWebhook, WEBHOOK_JOB } from '../../src/features/webhooks/queue.ts';
import { jobTopic } from '../../src/jobs/job.ts';
import type { Body, Caller } from './client.ts';
import type { Behaviour, ReceivedRequest, Script, TestReceiver } from './http-receiver.ts';
import { succeed, type TestSession } from './merchants.ts';

interface Callable {
  call: Caller;
}

export interface TestEndpoint {
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

/** An endpoint whose receiver has answered the challenge. The receiver then does as `script` says. */
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

/** Answers challenges; everything else as told, 200 by default. */
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

/** Events of one merchant, each committed on its own; answers their ids. */
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

export async function listDeliveries(
  service: Callable,
  merchant: { session: TestSession },
  query: Record<string, string | number> = {},
): Promise<Body[]> {
  const { session } = merchant;
  const received = await succeed(service.call('GET', '/v1/webhook-deliveries', { session, query }));
  return received.body.webhook_deliveries;
}

/** Makes the workers look at once; for tests that move the clock. */
export function wakeWorkers(context: Context): void {
  context.signals.announce(jobTopic(WEBHOOK_JOB));
}

export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error('did not come about in time');
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
