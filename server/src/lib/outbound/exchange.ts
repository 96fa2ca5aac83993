import type { Dispatcher } from 'undici';
import { createLine, type Line, type Place } from '../line.ts';
import type { Lease } from './pool.ts';
import { classify, OutboundFault, type OutboundRequest, type OutboundResult } from './types.ts';

/** Shared by the requests of one sender. */
interface ExchangeParts {
  actionsOf: AbortActions;
  deadlines: Deadlines;
}

/**
 * One request and its response over one connection, under one total deadline. Works on the dispatcher itself instead of
 * its `request`: that promise stays pending while a connection is being made, whatever its signal does.
 */
export function exchange(
  lease: Lease,
  path: string,
  request: OutboundRequest,
  signal: AbortSignal | undefined,
  parts: ExchangeParts,
): Promise<OutboundResult> {
  return new Promise((resolve) => {
    const running = new Exchange(lease, request, signal && parts.actionsOf(signal), parts.deadlines, resolve);
    if (signal?.aborted) return running.onAbort();
    running.begin(path);
  });
}

/** A class instead of several functions created for each request: those cost more than what they do. */
class Exchange implements Dispatcher.DispatchHandler, Deadline, AbortAction {
  readonly endMs: number;
  readonly #startedMs = performance.now();
  readonly #lease: Lease;
  readonly #request: OutboundRequest;
  readonly #whenAborted: Line<AbortAction> | undefined;
  readonly #deadlines: Deadlines;
  readonly #resolve: (result: OutboundResult) => void;
  readonly #chunks: Uint8Array[] = [];
  #receivedBytes = 0;
  #status = 0;
  #headers: Record<string, string> = {};
  #settled = false;
  #endPlace: Place | undefined;
  #abortPlace: Place | undefined;

  constructor(
    lease: Lease,
    request: OutboundRequest,
    whenAborted: Line<AbortAction> | undefined,
    deadlines: Deadlines,
    resolve: (result: OutboundResult) => void,
  ) {
    this.#lease = lease;
    this.#request = request;
    this.#whenAborted = whenAborted;
    this.#deadlines = deadlines;
    this.#resolve = resolve;
    this.endMs = this.#startedMs + request.deadlineMs;
  }

  begin(path: string): void {
    this.#endPlace = this.#deadlines.add(this);
    this.#abortPlace = this.#whenAborted?.add(this);
    try {
      this.#lease.client.dispatch(dispatchOptions(path, this.#request), this);
    } catch (error) {
      this.#fail(classify(error));
    }
  }

  onAbort(): void {
    this.#fail(new OutboundFault('aborted', 'given up by the caller'));
  }

  onEnd(): void {
    const { deadlineMs } = this.#request;
    this.#fail(new OutboundFault('timeout', `no complete response within ${deadlineMs} ms`));
  }

  onRequestStart(): void {}

  // 1xx responses arrive here as well, before the final one.
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = flatten(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#settled) return;
    this.#receivedBytes += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#receivedBytes > this.#request.maxBodyBytes) this.#succeed(true);
  }

  onResponseEnd(): void {
    this.#succeed(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(classify(error));
  }

  #fail({ errorClass, message, dnsFailure }: OutboundFault): void {
    if (!this.#settle()) return;
    this.#lease.discard();
    const durationMs = this.#durationMs();
    this.#resolve({ ok: false, errorClass, message, durationMs, ...(dnsFailure ? { dnsFailure } : {}) });
  }

  #succeed(truncated: boolean): void {
    if (!this.#settle()) return;
    if (truncated || this.#request.isFresh) this.#lease.discard();
    else this.#lease.release();
    this.#resolve({
      ok: true,
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks, Math.min(this.#receivedBytes, this.#request.maxBodyBytes)),
      truncated,
      durationMs: this.#durationMs(),
    });
  }

  /** False when it was already over. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#endPlace?.leave();
    this.#abortPlace?.leave();
    return true;
  }

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }
}

/** What to do when a signal aborts. */
interface AbortAction {
  onAbort(): void;
}

/** The actions of a signal. A finished request removes its own. */
type AbortActions = (signal: AbortSignal) => Line<AbortAction>;

/**
 * Many requests share the signal of one worker, and a listener for each would cost as much as their other bookkeeping.
 */
export function createAbortActions(): AbortActions {
  const bySignal = new WeakMap<AbortSignal, Line<AbortAction>>();
  return (signal) => {
    const known = bySignal.get(signal);
    if (known) return known;
    const actions = createLine<AbortAction>();
    signal.addEventListener('abort', () => {
      for (const action of actions.values()) action.onAbort();
    });
    bySignal.set(signal, actions);
    return actions;
  };
}

function dispatchOptions(path: string, request: OutboundRequest): Dispatcher.DispatchOptions {
  return {
    path,
    method: request.method,
    headers: { 'accept-encoding': 'identity', ...request.headers },
    body: request.body ?? null,
  };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Something that ends at a time on the monotonic clock. */
interface Deadline {
  endMs: number;
  onEnd(): void;
}

interface Deadlines {
  add(deadline: Deadline): Place;
}

/** How late an end may be noticed. */
const TICK_MS = 50;

/** One timer for all requests in flight: a timer for each would be created and cancelled without ever firing. */
export function createDeadlines(): Deadlines {
  const waiting = createLine<Deadline>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const nowMs = performance.now();
    for (const deadline of waiting.values()) if (deadline.endMs <= nowMs) deadline.onEnd();
    if (waiting.first()) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    add(deadline) {
      timer ??= setInterval(look, TICK_MS);
      return waiting.add(deadline);
    },
  };
}
