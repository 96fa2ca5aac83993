import { type Caller, createCaller, type Received, type Sent } from '../../stage/service/client.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import { collectSecrets, type IssuedSecrets, redact } from './redact.ts';

/** The response did not come, or not whole: the client does not know what happened. */
export class LostAnswer extends Error {}

interface Door {
  name: string;
  /** Through the proxy. */
  url: string;
}

export interface Recorder {
  /** Calls of one actor, each to a door of its choice, every one of them in the history. */
  as(actor: string, random: Random, options?: { door?: string; note?: string }): Caller;
}

const PATIENCE_MS = 25_000;

export function createRecorder(
  history: History,
  secrets: IssuedSecrets,
  doors: () => readonly Door[],
): Recorder {
  return {
    as: (actor, random, options = {}) => {
      return async (method, path, sent = {}) => {
        const open = doors();
        const door = open.find((each) => each.name === options.door) ?? random.pick(open);
        if (!door) throw new LostAnswer('no process to call');
        const attempt = history.begin({
          actor,
          to: door.name,
          method,
          path,
          ...describe(sent),
          note: options.note,
        });
        try {
          const received = await withPatience(createCaller(door.url)(method, path, sent));
          collect(received, secrets);
          history.acknowledge(attempt, {
            at: Date.now(),
            status: received.status,
            ...(received.headers.get('idempotency-replayed') === 'true' ? { replayed: true } : {}),
            ...cookieOf(received),
            body: received.body === undefined ? null : shorten(JSON.parse(redact(received.text))),
          });
          return received;
        } catch (error) {
          const cause = (error as { cause?: { code?: string; message?: string } }).cause;
          history.lose(attempt, cause?.code ?? cause?.message ?? (error as Error).message);
          throw new LostAnswer((error as Error).message);
        }
      };
    },
  };
}

async function withPatience(pending: Promise<Received>): Promise<Received> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), PATIENCE_MS);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}

function collect(received: Received, secrets: IssuedSecrets): void {
  collectSecrets(received.text, secrets);
  for (const cookie of received.headers.getSetCookie()) collectSecrets(cookie, secrets);
}

/** As a later call will carry it. */
function cookieOf(received: Received): { cookie?: string } {
  const cookie = received.headers.getSetCookie()[0]?.split(';')[0];
  return cookie === undefined ? {} : { cookie: redact(cookie) };
}

function describe(sent: Sent) {
  const { device } = sent;
  const credential = sent.bearer ?? sent.apiKey ?? device?.token ?? sent.session?.cookie;
  const body = sent.body === undefined ? undefined : JSON.parse(redact(JSON.stringify(sent.body)));
  return {
    query: sent.query,
    key: sent.idempotencyKey,
    credential: credential === undefined ? undefined : redact(credential),
    sent: device ? { ...body, device_id: device.device_id } : body,
  };
}

/** Long lists are reduced to the members that the checks read. */
// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
function shorten(body: any): any {
  if (body === null || typeof body !== 'object') return body;
  const short = { ...body };
  if (Array.isArray(body.payment_requests))
    short.payment_requests = body.payment_requests.map(placeOfRequest);
  if (body.payment_request) short.payment_request = withoutTexts(body.payment_request);
  if (Array.isArray(body.audit_events)) short.audit_events = body.audit_events.length;
  if (Array.isArray(body.webhook_deliveries))
    short.webhook_deliveries = body.webhook_deliveries.map((row: { delivery_id: string }) => row.delivery_id);
  if (body.data !== null && typeof body.data === 'object' && Array.isArray(body.data.items))
    short.data = { ...body.data, items: body.data.items.map((item: { id: string }) => item.id) };
  return short;
}

function placeOfRequest(record: Record<string, unknown>) {
  const { request_id, connection_id, status, state_version } = record;
  return { request_id, connection_id, status, state_version };
}

function withoutTexts(record: Record<string, unknown>) {
  const { display, metadata, source, ...rest } = record;
  return rest;
}
