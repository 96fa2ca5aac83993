import type { Dispatcher } from 'undici';
import type { Deadline, Deadlines } from './deadlines.ts';
import { classify, OutboundFault } from './fault.ts';
import type { Lease } from './pool.ts';
import type { OutboundRequest, OutboundResult } from './types.ts';

type Answer = Omit<Extract<OutboundResult, { ok: true }>, 'durationMs'>;

/** What the requests of one sender share. */
export interface ExchangeParts {
  actionsOf: AbortActions;
  deadlines: Deadlines;
}

/**
 * One request and its response over one connection, under one total deadline. Works on the dispatcher itself
 * instead of its `request`: that promise stays open while a connection is being made, whatever its signal says.
 */
export function exchange(
  lease: Lease,
  path: string,
  request: OutboundRequest,
  signal: AbortSignal | undefined,
  { actionsOf, deadlines }: ExchangeParts,
): Promise<OutboundResult> {
  const startedMs = performance.now();
  const whenAborted = signal && actionsOf(signal);
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let receivedBytes = 0;
    let status = 0;
    let headers: Record<string, string> = {};
    let settled = false;

    const settle = (outcome: Answer | OutboundFault): void => {
      if (settled) return;
      settled = true;
      deadlines.delete(deadline);
      whenAborted?.delete(onAbort);
      const durationMs = Math.round(performance.now() - startedMs);
      if (outcome instanceof OutboundFault) {
        lease.discard();
        const { errorClass, message, dnsFailure } = outcome;
        resolve({ ok: false, errorClass, message, durationMs, ...(dnsFailure ? { dnsFailure } : {}) });
        return;
      }
      if (outcome.truncated || request.isFresh) lease.discard();
      else lease.release();
      resolve({ ...outcome, durationMs });
    };
    const settleWithAnswer = (truncated: boolean): void => {
      const body = Buffer.concat(chunks, Math.min(receivedBytes, request.maxBodyBytes));
      settle({ ok: true, status, headers, body, truncated });
    };
    const onAbort = (): void => settle(new OutboundFault('aborted', 'given up by the caller'));
    const deadline: Deadline = {
      endMs: startedMs + request.deadlineMs,
      onEnd: () =>
        settle(new OutboundFault('timeout', `no complete response within ${request.deadlineMs} ms`)),
    };
    if (signal?.aborted) return onAbort();
    deadlines.add(deadline);
    whenAborted?.add(onAbort);

    try {
      lease.client.dispatch(dispatchOptions(path, request), {
        onRequestStart: () => undefined,
        // 1xx answers come here as well, before the real one.
        onResponseStart(_controller, statusCode, rawHeaders) {
          status = statusCode;
          headers = flatten(rawHeaders);
        },
        onResponseData(_controller, chunk) {
          if (settled) return;
          receivedBytes += chunk.byteLength;
          chunks.push(chunk);
          if (receivedBytes > request.maxBodyBytes) settleWithAnswer(true);
        },
        onResponseEnd: () => settleWithAnswer(false),
        onResponseError: (_controller, error) => settle(classify(error)),
      });
    } catch (error) {
      settle(classify(error));
    }
  });
}

/** What is to be done when a signal aborts. A request that is over takes its action away. */
export type AbortActions = (signal: AbortSignal) => Set<() => void>;

/** Many requests share the signal of one worker, and a listener for each would cost as much as their other bookkeeping. */
export function createAbortActions(): AbortActions {
  const bySignal = new WeakMap<AbortSignal, Set<() => void>>();
  return (signal) => {
    const known = bySignal.get(signal);
    if (known) return known;
    const actions = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const act of [...actions]) act();
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
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
