import type { WaitTimeoutError } from '../errors/waiting.ts';
import { atLeast, type Settings } from './settings.ts';

/** What bounds a wait that consists of several calls. */
export interface Deadline {
  /** What the wait ends with when its time is over. */
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
