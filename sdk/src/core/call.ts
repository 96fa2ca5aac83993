import type { CallFacts } from '../errors/transport.ts';
import type { CallCredential } from './credential.ts';
import type { OperationData } from './operation-data.ts';

/** One call as data: its operation, and what is sent with it. */
export interface Call extends Omit<OperationData, 'types'> {
  /** Values for the `{names}` in `path`. */
  params?: Readonly<Record<string, string>>;
  /**
   * `wait` is the number of seconds for which the service may hold its response back: the timeout is that much longer.
   */
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: object;
  credential?: CallCredential;
  /** Sent with every attempt; makes a POST safe to repeat. */
  idempotencyKey?: string;
  /** Updated with every attempt, for a caller that needs to know how far a call got. */
  facts?: CallFacts;
  /** The response may be an event stream; services that have none send an ordinary response. */
  acceptsStream?: boolean;
}

/** Options that every method takes as its last argument. */
export interface CallOptions {
  /** Ends the call, its waits and its retries; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** For one attempt; instead of the client's. */
  timeoutMs?: number;
  /** Instead of the client's. */
  maxRetries?: number;
  /** Added to the client's headers; reserved names are refused. */
  headers?: Readonly<Record<string, string>>;
}

/** Method and published path: the name of a call in errors and notices. */
function nameOf(call: Pick<Call, 'method' | 'path'>): string {
  return `${call.method} ${call.path}`;
}

/** Of a call that has not been tried yet. */
export function newFacts(call: Pick<Call, 'method' | 'path' | 'idempotencyKey'>): CallFacts {
  const { idempotencyKey } = call;
  const facts = { call: nameOf(call), attempts: 0, earlierAttemptUnknown: false };
  return idempotencyKey === undefined ? facts : { ...facts, idempotencyKey };
}

export function urlOf(baseUrl: string, call: Call): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, call.params?.[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const search = query.toString();
  return `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
}

/** "." and ".." would climb out of the path, even percent-encoded, and an empty one would name another route. */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(
      `${name} is not an identifier: pass the one of the record as a string, for example payment_request.request_id`,
    );
  return encodeURIComponent(value);
}
