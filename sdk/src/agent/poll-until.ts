import type { CallOptions } from '../core/call.ts';
import { sleep } from '../core/clock.ts';
import { atLeast, type Settings } from '../core/settings.ts';

/** How long to wait for a user's decision. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface WaitOptions extends Omit<CallOptions, 'timeoutMs'> {
  /** For the whole wait; then `WaitTimeoutError`. Without it the invitation's or session's own end decides. */
  timeoutMs?: number;
  /** Between two looks; as the service proposes, or 2,000, unless stated. */
  pollMs?: number;
}

/** What each call of a wait is given: the wait's own time is not for one attempt. */
export function callOptionsOf({ timeoutMs: _, pollMs: __, ...options }: WaitOptions): CallOptions {
  return options;
}

/** Looks again and again until there is something to return. */
export async function pollUntil<T>(
  { clock }: Settings,
  pollMs: number,
  signal: AbortSignal | undefined,
  look: () => Promise<T | undefined>,
): Promise<T> {
  atLeast('pollMs', pollMs, 1);
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(clock, pollMs, signal);
  }
}
