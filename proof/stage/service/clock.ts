import type { Clock } from '../../../server/src/lib/clock.ts';

export interface TestClock extends Clock {
  /** Moves time forward (or back); from then on it runs from there. */
  advance(durationMs: number): void;
  set(time: Date): void;
  /** Stops time at a moment until it is advanced, set or released. */
  freeze(at?: Date): void;
  release(): void;
}

/** Real time plus an offset that the test moves. */
export function createTestClock(): TestClock {
  let offsetMs = 0;
  let frozen: number | undefined;
  return {
    now: () => new Date(frozen ?? Date.now() + offsetMs),
    advance(durationMs) {
      if (frozen === undefined) offsetMs += durationMs;
      else frozen += durationMs;
    },
    set(time) {
      if (frozen === undefined) offsetMs = time.getTime() - Date.now();
      else frozen = time.getTime();
    },
    freeze(at) {
      frozen = at?.getTime() ?? Date.now() + offsetMs;
    },
    release() {
      if (frozen !== undefined) offsetMs = frozen - Date.now();
      frozen = undefined;
    },
  };
}
