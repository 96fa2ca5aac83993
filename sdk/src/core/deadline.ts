import type { WaitTimeoutError } from '../errors/waiting.ts';
import { sleep } from './clock.ts';
import { atLeast, type Settings } from './settings.ts';

/** The limits of a wait that consists of several calls. */
export interface Deadline {
  /** The error of the wait when its time is over. */
  late: () => WaitTimeoutError;
  timeoutMs: number | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Work that ends in time whatever it is doing, a call or a pause: when the time is over, the signal that it is given is
 * aborted with a `WaitTimeoutError`.
 */
export async function withDeadline<T>(
  { clock }: Settings,
  { late, timeoutMs, signal }: Deadline,
  work: (limited: { signal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return work(signal ? { signal } : {});
  atLeast('timeoutMs', timeoutMs, 0);
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  const stopTimer = clock.after(timeoutMs, () => controller.abort(late()));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work({ signal: controller.signal });
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}

const SHORTEST_EMPTY_POLL_MS = 1000;

/**
 * Keeps a loop of long polls from spinning: a service that is shutting down returns empty pages immediately. A poll
 * without news takes at least one second.
 */
export function createPacer(settings: Settings, signal: AbortSignal | undefined) {
  return async <T>(poll: () => Promise<T>, hasNews: (result: T) => boolean): Promise<T> => {
    const startedAt = settings.clock.now();
    const result = await poll();
    if (!hasNews(result)) await restAfterNothing(settings, startedAt, signal);
    return result;
  };
}

export async function restAfterNothing(
  { clock }: Settings,
  startedAt: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const restMs = startedAt + SHORTEST_EMPTY_POLL_MS - clock.now();
  if (restMs > 0) await sleep(clock, Math.min(restMs, SHORTEST_EMPTY_POLL_MS), signal);
}
