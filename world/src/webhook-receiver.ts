import {
  verifyWebhook,
  type WebhookEvent,
  type WebhookRefusal,
  WebhookVerificationError,
} from '@payassent/sdk';
import {
  type LoopbackAnswer,
  type LoopbackRequest,
  plainAnswer,
  startLoopbackServer,
} from './loopback-server.ts';
import { createWaitingRoom } from './waiting-room.ts';

/** A message that was posted to the receiver, genuine or not. */
export interface ReceivedWebhook {
  receivedAt: Date;
  path: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The exact text that was signed. */
  body: string;
  /** Present when signature and age were right. */
  event: WebhookEvent | undefined;
  /** Why it was refused, when it was. */
  refusal: WebhookRefusal | 'no_secret' | undefined;
  /** The same event has been received before: a merchant's own program would act only once. */
  isRepetition: boolean;
}

export interface WebhookReceiver {
  readonly port: number;
  /** Without a final slash; every path below it receives. */
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  readonly secrets: readonly string[];
  /** A message is genuine when any of the secrets signed it: one receiver may serve several endpoints. */
  addSecret(secret: string): void;
  clearSecrets(): void;
  /** Answers the next message that contains this text with 500, as a merchant's program that is broken does. */
  failOnce(containing: string): void;
  /** How far the service's clock is from the machine's: messages are as old as its clock says. */
  setClockOffset(offsetMs: number): void;
  /** Calls back for every message. */
  onWebhook(listener: (webhook: ReceivedWebhook) => unknown): void;
  /** The first genuine message that matches and is not a repetition, also one that is already there. */
  waitForEvent(
    matches: (event: WebhookEvent) => boolean,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<ReceivedWebhook & { event: WebhookEvent }>;
  close(): Promise<void>;
}

export interface WebhookReceiverOptions {
  /** A free one unless stated. */
  port?: number;
  /** `whsec_…`; may also be added later. */
  secret?: string | readonly string[];
  /** Serves what is no POST, for those who want to look at it. */
  serve?: (request: LoopbackRequest) => LoopbackAnswer | undefined;
}

/** A merchant's receiver: verifies every message over its exact bytes, answers the challenge, remembers what came. */
export async function startWebhookReceiver(options: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const secrets: string[] = [options.secret ?? []].flat();
  const knownEvents = new Set<string>();
  const listeners: ((webhook: ReceivedWebhook) => unknown)[] = [];
  const waiting = createWaitingRoom();
  let failing: string | undefined;
  let clockOffsetMs = 0;

  const take = (request: LoopbackRequest): LoopbackAnswer => {
    const verdict = judge(request, secrets, Date.now() + clockOffsetMs);
    const id = verdict.event?.id;
    const webhook: ReceivedWebhook = {
      receivedAt: new Date(),
      path: request.path,
      headers: flatten(request.headers),
      body: request.body.toString('utf8'),
      ...verdict,
      isRepetition: id !== undefined && knownEvents.has(id),
    };
    if (id !== undefined) knownEvents.add(id);
    received.push(webhook);
    for (const listener of listeners) listener(webhook);
    waiting.wake();
    if (failing !== undefined && webhook.body.includes(failing)) {
      failing = undefined;
      return plainAnswer(500, 'Broken on purpose.');
    }
    return answerTo(webhook);
  };

  const server = await startLoopbackServer(
    (request) =>
      request.method === 'POST'
        ? take(request)
        : (options.serve?.(request) ?? plainAnswer(405, 'Webhooks are posted here.')),
    options.port === undefined ? {} : { port: options.port },
  );

  return {
    ...server,
    received,
    secrets,
    addSecret(secret) {
      if (!secrets.includes(secret)) secrets.push(secret);
    },
    clearSecrets: () => void secrets.splice(0),
    failOnce(containing) {
      failing = containing;
    },
    setClockOffset(offsetMs) {
      clockOffsetMs = offsetMs;
    },
    onWebhook: (listener) => void listeners.push(listener),
    waitForEvent: (matches, wait = {}) =>
      waiting.waitFor(
        () => received.filter(isGenuine).find((each) => !each.isRepetition && matches(each.event)),
        {
          ...wait,
          missing: () => `the webhook has not come (${received.length} messages in all)`,
        },
      ),
  };
}

type Genuine = ReceivedWebhook & { event: WebhookEvent };

function isGenuine(webhook: ReceivedWebhook): webhook is Genuine {
  return webhook.event !== undefined;
}

function judge(
  { body, headers }: LoopbackRequest,
  secrets: readonly string[],
  now: number,
): Pick<ReceivedWebhook, 'event' | 'refusal'> {
  if (secrets.length === 0) return { event: undefined, refusal: 'no_secret' };
  try {
    return { event: verifyWebhook({ body, headers, secret: secrets, now }), refusal: undefined };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { event: undefined, refusal: error.reason };
  }
}

function answerTo({ event, refusal }: ReceivedWebhook): LoopbackAnswer {
  if (event?.type === 'webhook.verification') {
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: event.data.challenge };
  }
  return refusal === undefined ? { status: 204 } : plainAnswer(400, 'Not accepted.');
}

function flatten(headers: LoopbackRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}
