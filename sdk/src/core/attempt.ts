import { type CallFacts, NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors/transport.ts';
import type { Settings } from './settings.ts';

/** A complete response, not yet parsed. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Instead of the text: an event stream, which continues after the attempt. */
  stream?: ReadableStream<Uint8Array>;
}

export interface Attempt {
  url: string;
  init: RequestInit;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  facts: CallFacts;
}

/**
 * Sends once. The time limit covers the whole response, and holds even for a `fetch` that ignores its signal. Redirects
 * are not followed: a credential goes to the address it was given for and nowhere else.
 */
export async function attemptOnce(settings: Settings, attempt: Attempt): Promise<RawAnswer> {
  const { signal, timeoutMs, facts } = attempt;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let end: (error: unknown) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (error) => {
      reject(error);
      controller.abort(error);
    };
  });
  const onAbort = () => end(signal?.reason);
  const stopTimer = settings.clock.after(timeoutMs, () => end(new TimeoutError(timeoutMs, facts)));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([exchange(settings, attempt, controller.signal), ended]);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof AnswerTooLarge) throw new UnexpectedAnswerError(0, 'with too large a body', facts);
    throw new NetworkError(error, facts);
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}

async function exchange(settings: Settings, attempt: Attempt, signal: AbortSignal): Promise<RawAnswer> {
  const response = await settings.fetch(attempt.url, { ...attempt.init, redirect: 'manual', signal });
  const { status, headers, body } = response;
  if (response.ok && body && headers.get('content-type')?.startsWith('text/event-stream'))
    return { status, headers, text: '', stream: body };
  return { status, headers, text: await readText(response) };
}

/** Far above the largest page the service sends: a server that never stops must not fill the memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

class AnswerTooLarge extends Error {}

/** The body as text, byte by byte within the limit. What is not UTF-8 becomes U+FFFD and fails as JSON later. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw new AnswerTooLarge();
    }
    text += decoder.decode(value, { stream: true });
  }
}
