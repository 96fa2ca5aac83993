import type { CallOptions } from '../core/call.ts';
import { sleep } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import { WaitTimeoutError } from '../errors/waiting.ts';

/** How long to wait for a user's decision. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface WaitOptions extends Omit<CallOptions, 'timeoutMs'> {
  /** For the whole wait; then `WaitTimeoutError`. Without it the invitation's or session's own end decides. */
  timeoutMs?: number;
  /** Between two looks; as the service proposes, or 2,000, unless stated. */
  pollMs?: number;
}

/** Looks again and again until there is something to return. */
export async function pollUntil<T>(
  settings: Settings,
  what: string,
  options: { signal?: AbortSignal; timeoutMs?: number; pollMs: number },
  look: () => Promise<T | undefined>,
): Promise<T> {
  const { timeoutMs, pollMs, signal } = options;
  const until = timeoutMs === undefined ? undefined : settings.clock.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (until !== undefined && settings.clock.now() + pollMs > until)
      throw new WaitTimeoutError(what, timeoutMs ?? 0);
    await sleep(settings.clock, pollMs, signal);
  }
}
