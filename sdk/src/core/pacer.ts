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
    const restMs = startedAt + SHORTEST_EMPTY_POLL_MS - settings.clock.now();
    if (!hasNews(result) && restMs > 0) await sleep(settings.clock, Math.min(restMs, 1000), signal);
    return result;
  };
}
