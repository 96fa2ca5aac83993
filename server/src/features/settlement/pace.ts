/** Lets calls through one after the other, never more than so many in a second. */
export interface Pace {
  /** False when the caller has given up meanwhile. */
  turn(signal: AbortSignal): Promise<boolean>;
}

export function createPace(perSecond: number): Pace {
  const gapMs = 1000 / perSecond;
  let nextMs = 0;
  return {
    async turn(signal) {
      if (signal.aborted) return false;
      const nowMs = performance.now();
      const atMs = Math.max(nowMs, nextMs);
      nextMs = atMs + gapMs;
      if (atMs > nowMs) await pause(atMs - nowMs, signal);
      return !signal.aborted;
    },
  };
}

/** Ends early when the signal does. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
