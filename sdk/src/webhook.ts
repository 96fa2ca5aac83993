import {
  type AgentPaymentStatus,
  type PaymentRequestStatus,
  parseStrictJson,
  parseStrictJsonBytes,
  verifyWebhook as verifySignature,
  type WebhookEventType,
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
/** The agent's own data may hold numbers beyond a double; here they are read as JavaScript reads them. */
const ANY_NUMBERS = { keepsNumbers: true } as const;

/** Event types that begin with the same word. */
export type WebhookFamily<Prefix extends string> = Extract<WebhookEventType, `${Prefix}.${string}`>;

/** A verified webhook of some types. */
export interface WebhookEventOf<Type extends string, Data> {
  /** The event's id; the same over all attempts, so that a repetition can be recognised. */
  id: string;
  /** What happened. Comparing it narrows `data`. */
  type: Type;
  /** When it happened. */
  timestamp: string;
  /** For status events, the number of the same event when polled. */
  sequence?: number;
  /** The record of which the type speaks. */
  data: Data;
}

/** A verified webhook. It tells that a record is worth reading; `confirmed` in it is what the wallet says. */
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

/** A message that claims to be a webhook. */
export interface IncomingWebhook {
  /** The exact bytes that were received, before any parsing: what is parsed and written again has another signature. */
  body: Uint8Array | ArrayBuffer | string;
  /** As received: a `Headers` object, or names and values in any case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The endpoint's secret, or both of them during a rotation. */
  secret: string | readonly string[];
  /** How old, or how far ahead, the message may be; 300 unless stated. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the present unless stated. */
  now?: number;
}

/**
 * Checks signature and age over the exact bytes, then parses. Throws `WebhookVerificationError` for everything that is
 * not a genuine, fresh message. A message may arrive twice: remember `id`.
 *
 * @example
 * ```ts
 * const event = verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret });
 * ```
 */
export function verifyWebhook(incoming: IncomingWebhook): WebhookEvent {
  needObject(incoming, 'verifyWebhook takes an object: { body, headers, secret }');
  const { headers, secret, toleranceSeconds } = incoming;
  const body = rawBody(incoming.body);
  needObject(headers, 'Pass the headers of the request, as received');
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((one) => typeof one === 'string'))
    throw new TypeError('Pass the secret of the endpoint, whsec_…, or both of them during a rotation');
  const verified = verifySignature({
    headers: headers instanceof Headers ? Object.fromEntries(headers.entries()) : headers,
    body,
    secrets,
    nowMs: incoming.now ?? Date.now(),
    ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
  });
  if (!verified.ok) throw new WebhookVerificationError(verified.reason);
  const event = parseEvent(body);
  if (event.id !== verified.id) throw new WebhookVerificationError('id_mismatch');
  return event;
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

/** The signature has proved who wrote it; what remains is to see that it is the kind of message this SDK knows. */
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
