import type { Dispatcher } from 'undici';
import { classify, OutboundFault } from './fault.ts';
import type { OutboundRequest, OutboundResult } from './types.ts';

type Outcome = Extract<OutboundResult, { ok: true }> | OutboundFault;

/**
 * One request and its answer, under one total deadline. Works on the dispatcher itself instead of its `request`:
 * that promise stays open while the request waits for a connection, whatever its signal says.
 */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: OutboundRequest,
  signal: AbortSignal | undefined,
): Promise<OutboundResult> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    const chunks: Uint8Array[] = [];
    let receivedBytes = 0;
    let status = 0;
    let headers: Record<string, string> = {};

    const settle = (outcome: Outcome): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      const durationMs = Math.round(performance.now() - startedMs);
      resolve(
        outcome instanceof OutboundFault
          ? { ok: false, errorClass: outcome.errorClass, message: outcome.message, durationMs }
          : { ...outcome, durationMs },
      );
    };
    const giveUp = (fault: OutboundFault): void => {
      settle(fault);
      controller?.abort(fault);
    };
    const answered = (truncated: boolean): void => {
      const body = Buffer.concat(chunks, Math.min(receivedBytes, request.maxBodyBytes));
      settle({ ok: true, status, headers, body, truncated, durationMs: 0 });
    };
    const onAbort = (): void => giveUp(new OutboundFault('aborted', 'given up by the caller'));
    const timer = setTimeout(
      () => giveUp(new OutboundFault('timeout', `no complete answer within ${request.deadlineMs} ms`)),
      request.deadlineMs,
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // It waited for a connection longer than anybody waited for it: not a byte of it may be sent.
        if (settled) started.abort(new OutboundFault('timeout', 'its time was over before it was sent'));
      },
      onResponseStart(_controller, statusCode, rawHeaders) {
        // 1xx answers announce the real one.
        if (statusCode < 200) return;
        status = statusCode;
        headers = flatten(rawHeaders);
      },
      onResponseData(current, chunk) {
        if (settled) return;
        receivedBytes += chunk.byteLength;
        chunks.push(chunk);
        if (receivedBytes <= request.maxBodyBytes) return;
        answered(true);
        current.abort(new OutboundFault('aborted', 'enough read'));
      },
      onResponseEnd: () => answered(false),
      onResponseError: (_controller, error) => settle(classify(error)),
    };
    try {
      dispatcher.dispatch(dispatchOptions(url, request), handler);
    } catch (error) {
      settle(classify(error));
    }
  });
}

function dispatchOptions(url: URL, request: OutboundRequest): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: { 'accept-encoding': 'identity', ...request.headers },
    body: request.body ?? null,
    // The total deadline above is the only clock; these two only measure silence.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
