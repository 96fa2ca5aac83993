import type { Wire } from './connection.ts';
import type { Deadline, Deadlines } from './deadlines.ts';
import { OutboundFault } from './fault.ts';
import type { Lease } from './pool.ts';
import { ResponseReader } from './response-reader.ts';
import type { OutboundRequest, OutboundResult } from './types.ts';

export interface ExchangeParts {
  deadlines: Deadlines;
  actionsOf: AbortActions;
}

/** One request and its response over one connection, under one total deadline. */
export function exchange(
  parts: ExchangeParts,
  lease: Lease,
  wire: Wire,
  request: OutboundRequest,
  signal: AbortSignal | undefined,
): Promise<OutboundResult> {
  const startedMs = performance.now();
  const whenAborted = signal && parts.actionsOf(signal);
  return new Promise((resolve) => {
    const reader = new ResponseReader(request.maxBodyBytes);
    let settled = false;

    const settle = (fault?: OutboundFault): void => {
      if (settled) return;
      settled = true;
      parts.deadlines.delete(deadline);
      whenAborted?.delete(onAbort);
      const durationMs = Math.round(performance.now() - startedMs);
      if (fault) {
        lease.discard();
        const { errorClass, message, dnsFailure } = fault;
        resolve({ ok: false, errorClass, message, durationMs, ...(dnsFailure ? { dnsFailure } : {}) });
        return;
      }
      const { status, headers, isTruncated: truncated, keepAliveMs } = reader;
      if (keepAliveMs === 0 || request.isFresh) lease.discard();
      else lease.release(keepAliveMs);
      resolve({ ok: true, status, headers, body: reader.body(), truncated, durationMs });
    };
    const onAbort = (): void => settle(new OutboundFault('aborted', 'given up by the caller'));
    const deadline: Deadline = {
      endMs: startedMs + request.deadlineMs,
      onEnd: () =>
        settle(new OutboundFault('timeout', `no complete response within ${request.deadlineMs} ms`)),
    };
    if (signal?.aborted) return onAbort();
    whenAborted?.add(onAbort);
    parts.deadlines.add(deadline);
    lease.connection.send(wire, reader, settle);
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
