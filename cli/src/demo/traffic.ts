import type { Fetch } from '@payassent/sdk';
import type { Exchange } from './entries.ts';
import { maskHeaders, maskJson, maskText } from './masking.ts';

/** The headers that matter to anyone who reads along. */
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'cookie',
  'x-csrf-token',
  'x-idempotency-key',
  'x-svc-api-key',
];
const ANSWER_HEADERS = ['content-type', 'idempotency-replayed', 'set-cookie', 'x-request-id'];

/**
 * The `fetch` that every client of the demo is given: it sends what the SDK says and tells what was sent and what came
 * back. So the narration cannot say anything that did not happen.
 */
export function recordingFetch(
  actor: string,
  tell: (exchange: Exchange) => void,
  signal: AbortSignal,
): Fetch {
  return async (url, init) => {
    const startedAt = performance.now();
    const response = await fetch(url, {
      ...init,
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
    });
    const text = await response.clone().text();
    const { pathname, search } = new URL(url);
    tell({
      actor,
      method: init.method ?? 'GET',
      path: maskText(pathname + search),
      request: {
        headers: chosen(new Headers(init.headers), REQUEST_HEADERS),
        ...(typeof init.body === 'string' ? { body: maskJson(JSON.parse(init.body)) } : {}),
      },
      status: response.status,
      answer: { headers: chosen(response.headers, ANSWER_HEADERS), body: readAnswer(text) },
      duration_ms: Math.round(performance.now() - startedAt),
    });
    return response;
  };
}

function chosen(headers: Headers, names: readonly string[]): Record<string, string> {
  return maskHeaders(
    names.flatMap((name): [string, string][] => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** What is no JSON would be a surprise, and is shown as it came. */
function readAnswer(text: string): unknown {
  try {
    return maskJson(JSON.parse(text));
  } catch {
    return maskText(text);
  }
}
