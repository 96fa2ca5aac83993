/** The SDK's source of time. Replace it to correct a wrong clock, or to control time in tests. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number;
  /** Calls back once after this time; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Runtimes fire a longer timer immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock and the timers of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (restMs: number) => {
      const next = () => (restMs > LONGEST_TIMER_MS ? wait(restMs - LONGEST_TIMER_MS) : callback());
      timer = setTimeout(next, Math.min(restMs, LONGEST_TIMER_MS));
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
};

/** Waits, or throws the reason of the signal as soon as it is aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits for work that others may share: an abort ends the waiting, not the work. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    // Attached first, whatever the signal's state: a rejection that no caller awaits must not end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
