import type { OutboundResult } from '../../lib/outbound/index.ts';

/** What an attempt came to. A tenant sees the class, never an address, a body or a header. */
export interface Outcome {
  delivered: boolean;
  /** The receiver said that it is gone for good. */
  gone: boolean;
  httpStatus: number | null;
  errorClass: string | null;
  retryAfter: string | undefined;
  durationMs: number;
}

/** `undefined`: the attempt was cut short by ourselves and says nothing about the receiver. */
export function judgeAnswer(result: OutboundResult): Outcome | undefined {
  const { durationMs } = result;
  if (!result.ok) {
    if (result.errorClass === 'aborted') return undefined;
    return failed(null, result.errorClass, durationMs);
  }
  const { status } = result;
  if (status >= 200 && status <= 299) {
    return {
      delivered: true,
      gone: false,
      httpStatus: status,
      errorClass: null,
      retryAfter: undefined,
      durationMs,
    };
  }
  if (status < 100 || status > 599) return failed(null, 'invalid_response', durationMs);
  const errorClass = status >= 300 && status <= 399 ? 'redirect_refused' : 'http_error';
  return {
    ...failed(status, errorClass, durationMs),
    gone: status === 410,
    retryAfter: result.headers['retry-after'],
  };
}

export function failed(httpStatus: number | null, errorClass: string, durationMs: number): Outcome {
  return { delivered: false, gone: false, httpStatus, errorClass, retryAfter: undefined, durationMs };
}
