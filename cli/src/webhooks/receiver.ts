import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@payassent/sdk';
import { type Forwarded, forward } from './forward.ts';

interface ReceiverOptions {
  secrets: readonly string[];
  forwardTo: URL | undefined;
  toleranceSeconds: number | undefined;
  signal: AbortSignal;
  /** The time by which messages are judged, in milliseconds since 1970. */
  now(): number | Promise<number>;
  /** Called with every message, after the response was sent. */
  onMessage(message: Received): void;
}

export type Received =
  | { kind: 'refused'; reason: string; webhookId: string | undefined; status: number }
  | { kind: 'challenge'; event: WebhookEvent; status: number }
  | {
      kind: 'message';
      event: WebhookEvent;
      isRepeated: boolean;
      status: number;
      /** Why the target gave no response, when there is a target. */
      forwardFault?: string;
    };

const LONGEST_BODY_BYTES = 1024 * 1024;
const FORWARD_TIMEOUT_MS = 14_000;
const REMEMBERED_IDS = 10_000;

/** What to print about a message that failed verification. */
export const REFUSALS: Readonly<Record<string, string>> = {
  secret_malformed: 'the secret given to this command is no webhook secret (whsec_ and 32 bytes in base64)',
  header_missing: 'webhook-id, webhook-timestamp or webhook-signature is missing or doubled',
  timestamp_malformed: 'webhook-timestamp is no whole number of seconds',
  timestamp_too_old: 'webhook-timestamp is too old; a replayed message, or the clocks differ',
  timestamp_too_new: 'webhook-timestamp is in the future; the clocks differ',
  signature_mismatch: 'no signature matches: another secret, or the body was changed on the way',
  body_malformed: 'the signature is right, but the body is no message of this service',
  id_mismatch: 'webhook-id differs from the id in the body',
  too_large: 'the body is larger than 1 MiB',
  method: 'only POST is a webhook',
};

export function createReceiver(options: ReceiverOptions): Server {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    receive(request, response, options, seen).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  return server;
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiverOptions,
  seen: Set<string>,
): Promise<void> {
  const { onMessage, secrets, toleranceSeconds } = options;
  const now = await options.now();
  const webhookId = textHeader(request, 'webhook-id');
  const refuse = (reason: string, status: number) => {
    // The reason goes to the console only: in the response it would help a forger.
    answer(response, status, 'text/plain', 'refused\n');
    onMessage({ kind: 'refused', reason, webhookId, status });
  };
  const body = await readBody(request);
  if (request.method !== 'POST') return refuse('method', 405);
  if (body === undefined) return refuse('too_large', 413);
  let event: WebhookEvent;
  try {
    event = verifyWebhook({
      body,
      headers: request.headersDistinct,
      secret: secrets,
      now,
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return refuse(error.reason, 400);
  }
  if (event.type === 'webhook.verification') {
    answer(response, 200, 'application/json', JSON.stringify({ challenge: event.data.challenge }));
    return onMessage({ kind: 'challenge', event, status: 200 });
  }
  const isRepeated = seen.has(event.id);
  seen.add(event.id);
  if (seen.size > REMEMBERED_IDS) for (const oldest of seen) if (seen.delete(oldest)) break;
  const passedOn = await passOn(request, body, options);
  response.writeHead(passedOn.status, [...passedOn.headers]);
  response.end(passedOn.body);
  const { status, fault } = passedOn;
  onMessage({
    kind: 'message',
    event,
    isRepeated,
    status,
    ...(fault === undefined ? {} : { forwardFault: fault }),
  });
}

/**
 * Returns the target's response; without a target a plain 204, and 502 when the target does not respond, so that the
 * service retries.
 */
async function passOn(
  request: IncomingMessage,
  body: Buffer,
  { forwardTo, signal }: ReceiverOptions,
): Promise<Forwarded & { fault?: string }> {
  if (!forwardTo) return { status: 204, headers: [], body: Buffer.alloc(0) };
  const { rawHeaders } = request;
  try {
    return await forward(
      forwardTo,
      { method: 'POST', rawHeaders, body },
      { timeoutMs: FORWARD_TIMEOUT_MS, signal },
    );
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return { status: 502, headers: [], body: Buffer.alloc(0), fault: code ?? name };
  }
}

/** Undefined when it is too large; the rest is read and discarded so that the sender gets the response. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LONGEST_BODY_BYTES) chunks.push(chunk);
  }
  return size > LONGEST_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function textHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
