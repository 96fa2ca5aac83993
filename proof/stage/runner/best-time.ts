const RUNS_AT_MOST = 20;

/**
 * The shortest of some runs; ends with the first that is short enough. A busy machine can spoil many runs in a row, but
 * no machine makes code faster than it is.
 */
export function bestTimeMs(work: () => unknown, enoughMs: number): number {
  let bestMs = Infinity;
  for (let run = 0; run < RUNS_AT_MOST && bestMs >= enoughMs; run += 1) {
    const startedMs = performance.now();
    work();
    bestMs = Math.min(bestMs, performance.now() - startedMs);
  }
  return bestMs;
}
