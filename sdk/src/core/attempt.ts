import type { CallFacts } from '../errors/base.ts';
import { NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors/transport.ts';
import { AnswerTooLarge, readText } from './read-body.ts';
import type { Settings } from './settings.ts';

/** A complete answer, not yet understood. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Instead of the text: an event stream, which goes on after the attempt. */
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
 * Sends once. The time limit covers the whole answer, and holds even for a `fetch` that ignores its signal. Redirects
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
