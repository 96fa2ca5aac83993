import { sleep } from './clock.ts';
import type { Settings } from './settings.ts';

const SHORTEST_EMPTY_POLL_MS = 1000;

/**
 * Keeps a loop of long polls from spinning: a service that is being stopped answers an empty page at once, again and
 * again. A poll that brought nothing counts as at least one second.
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
