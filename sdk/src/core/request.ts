import { ApiError, type ApiFailure, isOfSharedToken } from '../errors/api-error.ts';
import { NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors/transport.ts';
import { understand } from './answer.ts';
import { attemptOnce } from './attempt.ts';
import { type Call, type CallOptions, newFacts, urlOf } from './call.ts';
import { needObject, toJson } from './checks.ts';
import { sleep } from './clock.ts';
import type { CredentialHeaders } from './credential.ts';
import { atLeast, mergeHeaders, refuseReservedHeaders, type Settings } from './settings.ts';

/** What a success carries: the members of the answer without its envelope, and the headers. */
export interface Answered<T> {
  members: T;
  status: number;
  headers: Headers;
  /** Instead of members, where the call accepts one and the service has it. */
  stream?: ReadableStream<Uint8Array>;
}

/** The one way by which the SDK reaches the service: every rule about trying again is here. */
export async function request<T>(
  settings: Settings,
  call: Call,
  options: CallOptions = {},
): Promise<Answered<T>> {
  needObject(options, 'The options of a call are an object, for example { signal }');
  const { signal } = options;
  refuseReservedHeaders(options.headers ?? {});
  const url = urlOf(settings.baseUrl, call);
  const body = call.body === undefined ? undefined : toJson(call.body);
  const retriesAllowed = atLeast('maxRetries', options.maxRetries ?? settings.maxRetries, 0);
  const maxRetries = isRepeatable(call) ? retriesAllowed : 0;
  const timeoutMs =
    atLeast('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1) +
    atLeast('wait', Number(call.query?.['wait'] ?? 0), 0) * 1000;
  let isRenewed = false;
  let retries = 0;
  const facts = call.facts ?? newFacts(call);
  const { call: name } = facts;

  for (;;) {
    signal?.throwIfAborted();
    await respectLimit(settings, name, signal);
    const credentials = (await call.credential?.headers(call.method, signal, url)) ?? {};
    facts.attempts += 1;
    const outcome = await send<T>(settings, call, {
      url,
      init: initOf(settings, call, options, credentials, body),
      timeoutMs,
      signal,
      facts: { ...facts },
    }).catch((interruption: unknown) => {
      facts.earlierAttemptUnknown = true;
      throw interruption;
    });
    if (outcome.ok) return outcome.answered;

    const { error } = outcome;
    if (isRefusedCredential(error) && !isRenewed && call.credential?.renew) {
      isRenewed = true;
      if (await call.credential.renew(error, credentials, signal)) continue;
    }
    if (!isPassing(error) || retries >= maxRetries) throw error;
    retries += 1;
    const chance = () => fraction(settings.randomBytes);
    const delayMs = retryDelayMs(error, retries, settings.maxRetryDelayMs, chance);
    if (delayMs === undefined) throw error;
    facts.earlierAttemptUnknown = error.mayBeStored;
    settings.onRetry({ call: name, attempt: facts.attempts, delayMs, code: error.code });
    await sleep(settings.clock, delayMs, signal);
  }
}

type Outcome<T> = { ok: true; answered: Answered<T> } | { ok: false; error: unknown };

const NOTHING = { ok: true, members: {} } as const;

async function send<T>(
  settings: Settings,
  call: Call,
  attempt: Parameters<typeof attemptOnce>[1],
): Promise<Outcome<T>> {
  try {
    const raw = await attemptOnce(settings, attempt);
    settings.rateLimits.learn(attempt.facts.call, raw.headers);
    const understood =
      call.acceptsStream && raw.stream ? NOTHING : understand(call, raw, attempt.facts, settings.clock.now());
    if (!understood.ok) return understood;
    call.credential?.observe?.(raw.headers);
    const { status, headers, stream } = raw;
    // The members that the method relies on were checked by name; their form is the service's promise.
    const members = understood.members as T;
    return { ok: true, answered: { members, status, headers, ...(stream ? { stream } : {}) } };
  } catch (error) {
    if (attempt.signal?.aborted) throw attempt.signal.reason;
    return { ok: false, error };
  }
}

/** A limit that the service has said to be used up is waited for, if that is short, instead of run into. */
async function respectLimit(
  settings: Settings,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const waitMs = settings.rateLimits.waitMs(name);
  if (waitMs > 0 && waitMs <= settings.maxRetryDelayMs) await sleep(settings.clock, waitMs, signal);
}

function isRefusedCredential(error: unknown): error is ApiFailure {
  return error instanceof ApiError && (error.httpStatus === 401 || isOfSharedToken(error));
}

function initOf(
  settings: Settings,
  call: Call,
  options: CallOptions,
  credentials: CredentialHeaders,
  body: string | undefined,
): RequestInit {
  const headers = mergeHeaders(
    settings.headers,
    options.headers ?? {},
    { accept: call.acceptsStream ? 'text/event-stream' : 'application/json' },
    body === undefined ? {} : { 'content-type': 'application/json' },
    call.idempotencyKey === undefined ? {} : keyHeader(call.idempotencyKey),
    credentials,
  );
  return {
    method: call.method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...cookieMode(call.credential?.browserCookies ?? false),
  };
}

/** A key that no header can carry stands in the body instead. */
function keyHeader(key: string): Record<string, string> {
  return isHeaderKey(key) ? { 'x-idempotency-key': key } : {};
}

export function isHeaderKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** Some edge runtimes refuse the option altogether; they also have no cookies of their own to leave out. */
function cookieMode(wantsCookies: boolean): Pick<RequestInit, 'credentials'> {
  if (typeof Request !== 'function' || !('credentials' in Request.prototype)) return {};
  return { credentials: wantsCookies ? 'same-origin' : 'omit' };
}

const FIRST_DELAY_MS = 250;
const LONGEST_OWN_DELAY_MS = 8000;

/** Calls that do no harm when they arrive twice: reads, settings, removals, changes of a stated version, keyed creates. */
function isRepeatable(call: Call): boolean {
  switch (call.method) {
    case 'GET':
    case 'PUT':
    case 'DELETE':
      return true;
    case 'PATCH':
      return typeof (call.body as { version?: unknown } | undefined)?.version === 'number';
    case 'POST':
      return call.idempotencyKey !== undefined;
  }
}

/** No answer at all, too many calls, or a service that is away for a moment. Nothing else passes by waiting. */
function isPassing(error: unknown): error is ApiError | NetworkError | TimeoutError | UnexpectedAnswerError {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  if (error instanceof ApiError || error instanceof UnexpectedAnswerError)
    return error.httpStatus === 429 || error.httpStatus === 503;
  return false;
}

/**
 * Doubles from try to try, with half of it left to chance so that clients that failed together do not come back
 * together. What the service asks for is always waited in full, with the chance on top; undefined when that is longer
 * than the client may wait.
 */
function retryDelayMs(
  error: unknown,
  attempt: number,
  longestMs: number,
  random: () => number,
): number | undefined {
  const ceiling = Math.min(LONGEST_OWN_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const own = Math.round(ceiling / 2 + (random() * ceiling) / 2);
  const asked =
    error instanceof ApiError || error instanceof UnexpectedAnswerError ? error.retryAfterMs : undefined;
  if (asked === undefined) return Math.min(own, longestMs);
  return asked > longestMs ? undefined : asked + Math.min(own, 1000);
}

/** Between 0 and 1, from the client's own source of randomness. */
function fraction(randomBytes: (length: number) => Uint8Array): number {
  const [high = 0, low = 0] = randomBytes(2);
  return (high * 256 + low) / 65_536;
}
