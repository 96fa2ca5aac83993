import type { Clock } from '@payassent/sdk';

/** Attempts that a test wants to see time out are given this long, in real time. */
export const REAL_TIMEOUT_MS = 3000;

/** What a long poll that is followed adds to its attempt. */
const LONG_POLL_MS = 25_000;

export interface VirtualClock extends Clock {
  /** Every wait that was requested, time limits of attempts excepted. */
  readonly waits: number[];
  advance(durationMs: number): void;
}

/**
 * Waits pass immediately and advance the time; the time limit of an attempt stays real, so that servers can be slow.
 */
export function createVirtualClock(realMs: number = REAL_TIMEOUT_MS): VirtualClock {
  let offsetMs = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => Date.now() + offsetMs,
    advance(durationMs) {
      offsetMs += durationMs;
    },
    after(delayMs, callback) {
      if (delayMs === realMs || delayMs === realMs + LONG_POLL_MS) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      }
      waits.push(delayMs);
      const immediate = setImmediate(() => {
        offsetMs += delayMs;
        callback();
      });
      return () => clearImmediate(immediate);
    },
  };
}
