import {
  type AgentPaymentStatus,
  decodeBase64Url,
  type PaymentRequestStatus,
  parseStrictJson,
  parseStrictJsonBytes,
  signWebhook,
  verifyWebhook as verifySignature,
  type WebhookEventType,
  type WebhookKey,
} from '@payassent/protocol';
import type {
  AgentPayment,
  AutomationPolicy,
  Connection,
  PaymentRequest,
  Recipient,
  RecipientVersion,
} from './contract.ts';
import { needObject } from './core/checks.ts';
import { WebhookVerificationError } from './errors/waiting.ts';

const DEEPEST = 32;
/** The agent's data may contain numbers beyond a double; here they are read as JavaScript numbers. */
const ANY_NUMBERS = { keepsNumbers: true } as const;

/** Event types that begin with the same word. */
export type WebhookFamily<Prefix extends string> = Extract<WebhookEventType, `${Prefix}.${string}`>;

/** A verified webhook of some types. */
export interface WebhookEventOf<Type extends string, Data> {
  /** The event's id; the same for all attempts, so that a repeated delivery can be recognised. */
  id: string;
  /** What happened. Comparing it narrows `data`. */
  type: Type;
  /** When it happened. */
  timestamp: string;
  /** For status events, the number of the same event when polled. */
  sequence?: number;
  /** The record that the type names. */
  data: Data;
}

/** A verified webhook. It only means that a record is worth reading; `confirmed` in it is the wallet's report. */
export type WebhookEvent =
  | WebhookEventOf<
      WebhookFamily<'payment_request'>,
      { payment_request: PaymentRequest; previous_status?: PaymentRequestStatus }
    >
  | WebhookEventOf<WebhookFamily<'connection'>, { connection: Connection }>
  | WebhookEventOf<WebhookFamily<'recipient'>, { recipient: Recipient; recipient_version: RecipientVersion }>
  | WebhookEventOf<
      WebhookFamily<'agent_payment'>,
      { agent_payment: AgentPayment; previous_status?: AgentPaymentStatus }
    >
  | WebhookEventOf<WebhookFamily<'automation_policy'>, { automation_policy: AutomationPolicy }>
  | WebhookEventOf<'webhook.verification', { challenge: string }>;

/** A message that may be a webhook. */
export interface IncomingWebhook {
  /**
   * The exact bytes that were received, before any parsing: a message that is parsed and serialised again has another
   * signature.
   */
  body: Uint8Array | ArrayBuffer | string;
  /** As received: a `Headers` object, or names and values in any case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The endpoint's secret, or both of them during a rotation. */
  secret?: string | readonly string[];
  /**
   * `/.well-known/svc-keys.json` of the service, parsed: with it a receiver needs no secret. It proves that the service
   * wrote the message, not for whom: the service signs for all merchants with this key. So read the record with your
   * own credential before you act. A challenge is accepted only with the secret.
   */
  keys?: PublishedKeys;
  /** The largest age of the message, or lead over the receiver's clock; default 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; default now. */
  now?: number;
}

/** The public keys of a service, as `/.well-known/svc-keys.json` lists them. */
export interface PublishedKeys {
  /** Current and previous ones, for every use. */
  keys: readonly {
    /** What the key signs; the keys of webhooks include `webhook`. */
    use: string;
    /** `Ed25519`. */
    alg: string;
    /** 32 bytes in base64url. */
    public_key: string;
    /** Since when it signs. */
    created_at: string;
    /** Until when it signed; null for a current one. */
    retired_at: string | null;
  }[];
}

/**
 * Checks signature and age over the exact bytes, then parses. Throws `WebhookVerificationError` for everything that is
 * not a genuine, fresh message. A message may arrive twice: store its `id` and skip repetitions.
 *
 * @example
 * ```ts
 * const event = verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret });
 * ```
 */
export function verifyWebhook(incoming: IncomingWebhook): WebhookEvent {
  needObject(incoming, 'verifyWebhook takes an object: { body, headers, secret }');
  const { headers, toleranceSeconds } = incoming;
  const body = rawBody(incoming.body);
  needObject(headers, 'Pass the headers of the request, as received');
  const publicKeys = incoming.keys === undefined ? [] : webhookKeysOf(incoming.keys);
  const secrets = publicKeys.length > 0 && incoming.secret === undefined ? [] : secretsOf(incoming.secret);
  const verified = verifySignature({
    headers: headers instanceof Headers ? Object.fromEntries(headers.entries()) : headers,
    body,
    secrets,
    publicKeys,
    nowMs: incoming.now ?? Date.now(),
    ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
  });
  if (!verified.ok) throw new WebhookVerificationError(verified.reason);
  const event = parseEvent(body);
  if (event.id !== verified.id) throw new WebhookVerificationError('id_mismatch');
  // A response to it would let any merchant of the service register this receiver as its webhook endpoint.
  if (verified.by === 'key' && event.type === 'webhook.verification')
    throw new WebhookVerificationError('challenge_needs_secret');
  return event;
}

function secretsOf(secret: IncomingWebhook['secret']): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((one) => typeof one === 'string'))
    throw new TypeError('Pass the secret of the endpoint, whsec_…, or both of them during a rotation');
  return secrets;
}

function webhookKeysOf({ keys }: PublishedKeys): WebhookKey[] {
  const found = (Array.isArray(keys) ? (keys as PublishedKeys['keys']) : [])
    .filter(({ use, alg }) => use === 'webhook' && alg === 'Ed25519')
    .flatMap(({ public_key, created_at, retired_at }) => {
      const publicKey = decodeBase64Url(public_key);
      const fromMs = Date.parse(created_at);
      const untilMs = retired_at === null ? Number.POSITIVE_INFINITY : Date.parse(retired_at);
      return publicKey?.length === 32 ? [{ publicKey, fromMs, untilMs }] : [];
    });
  if (found.length === 0)
    throw new TypeError(
      'Pass as keys the parsed /.well-known/svc-keys.json of the service, with a key for webhooks',
    );
  return found;
}

/** A message as the service would send it, for the tests of a receiver. */
export interface TestWebhook<Event extends WebhookEvent = WebhookEvent> {
  /** What happened. */
  type: Event['type'];
  /** The content of the message; the record as your own code needs it. */
  data: Event['data'];
  /** The secret that your receiver has: any `whsec_` and 32 bytes in base64. */
  secret: string | readonly string[];
  /** Default: random. Set it to send the same message twice. */
  id?: string;
  /** For status events. */
  sequence?: number;
  /** Milliseconds since 1970 when it happened and was signed; default now. */
  now?: number;
}

/**
 * Signs a message as the service does, so that a receiver can be tested without one. Post `body` as it is, with `headers`.
 *
 * @example
 * ```ts
 * const { body, headers } = signTestWebhook({ type: 'payment_request.confirmed', data: { payment_request }, secret });
 * await fetch('http://127.0.0.1:3000/webhooks', { method: 'POST', body, headers });
 * ```
 */
export function signTestWebhook<Event extends WebhookEvent>(
  message: TestWebhook<Event>,
): { body: string; headers: Record<string, string> } {
  needObject(message, 'signTestWebhook takes an object: { type, data, secret }');
  const { type, data, sequence, now = Date.now() } = message;
  const id = message.id ?? `evt_test_${crypto.randomUUID()}`;
  const timestamp = new Date(now).toISOString();
  const body = JSON.stringify({ id, type, timestamp, ...(sequence === undefined ? {} : { sequence }), data });
  const secrets = secretsOf(message.secret);
  const signature = signWebhook({ id, timestampSeconds: Math.floor(now / 1000), body, secrets });
  return { body, headers: { 'content-type': 'application/json', ...signature } };
}

const RAW_BODY = [
  'verifyWebhook needs the raw body, the bytes as they were received, not what a parser made of them.',
  "Express: express.raw({ type: 'application/json' }) on this route, then req.body.",
  "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)).",
  'Next.js: await request.arrayBuffer(). Hono: await c.req.arrayBuffer().',
].join(' ');

function rawBody(body: unknown): Uint8Array | string {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError(RAW_BODY);
}

/** The signature proves the sender; the kind of message is still to be checked. */
function parseEvent(body: Uint8Array | string): WebhookEvent {
  const parsed =
    typeof body === 'string'
      ? parseStrictJson(body, DEEPEST, ANY_NUMBERS)
      : parseStrictJsonBytes(body, DEEPEST, ANY_NUMBERS);
  const event = (parsed.ok ? parsed.value : undefined) as Partial<WebhookEvent> | null | undefined;
  const isEvent =
    typeof event === 'object' &&
    event !== null &&
    typeof event.id === 'string' &&
    typeof event.type === 'string' &&
    typeof event.timestamp === 'string' &&
    typeof event.data === 'object' &&
    event.data !== null;
  if (!isEvent) throw new WebhookVerificationError('body_malformed');
  return event as WebhookEvent;
}
