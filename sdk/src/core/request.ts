import { ApiError, type ApiFailure, isOfSharedToken } from '../errors/api-error.ts';
import { understand } from './answer.ts';
import { attemptOnce } from './attempt.ts';
import { type Call, type CallOptions, newFacts, urlOf } from './call.ts';
import { needObject, toJson } from './checks.ts';
import { sleep } from './clock.ts';
import type { CredentialHeaders } from './credential.ts';
import { isPassing, leavesUnknown, noteReached, retryDelayMs } from './retry.ts';
import { noteServiceTime } from './service-time.ts';
import { atLeast, mergeHeaders, refuseReservedHeaders, type Settings } from './settings.ts';

/** The content of a success: the members of the response without its envelope, and the headers. */
export interface Answered<T> {
  members: T;
  status: number;
  headers: Headers;
  /** Instead of members, where the call accepts one and the service has it. */
  stream?: ReadableStream<Uint8Array>;
}

/** The single path to the service: every retry rule is here. */
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
    const delayMs = retryDelayMs(settings, error, retries, settings.maxRetryDelayMs);
    if (delayMs === undefined) throw error;
    facts.earlierAttemptUnknown ||= leavesUnknown(error);
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
    noteReached(settings);
    call.credential?.observe?.(raw.headers);
    const { status, headers, stream } = raw;
    // The members that the method relies on were checked by name; their form is the service's promise.
    const members = understood.members as T;
    noteServiceTime(understood.members, headers.get('date'));
    return { ok: true, answered: { members, status, headers, ...(stream ? { stream } : {}) } };
  } catch (error) {
    if (attempt.signal?.aborted) throw attempt.signal.reason;
    return { ok: false, error };
  }
}

/** Waits for a limit that the service has reported as exhausted, if the wait is short, instead of exceeding it. */
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

/** A key that no header can carry is in the body instead. */
function keyHeader(key: string): Record<string, string> {
  return isHeaderKey(key) ? { 'x-idempotency-key': key } : {};
}

export function isHeaderKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** Some edge runtimes refuse the option altogether; they also have no cookies to leave out. */
function cookieMode(wantsCookies: boolean): Pick<RequestInit, 'credentials'> {
  if (typeof Request !== 'function' || !('credentials' in Request.prototype)) return {};
  return { credentials: wantsCookies ? 'same-origin' : 'omit' };
}

/** Calls that are safe to repeat: reads, settings, removals, changes of a given version, keyed creates. */
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
