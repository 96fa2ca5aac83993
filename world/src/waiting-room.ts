export interface WaitingRoom {
  /** Everybody who waits looks again. */
  wake(): void;
  /** What `look` finds, now or after a wake; rejects with what is missing when the time is over. */
  waitFor<T>(
    look: () => T | undefined,
    options: { timeoutMs?: number; missing: () => string; signal?: AbortSignal },
  ): Promise<T>;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** For things that arrive by themselves: nobody polls, everybody is bounded in time. */
export function createWaitingRoom(): WaitingRoom {
  const checks = new Set<() => void>();
  return {
    wake() {
      for (const check of [...checks]) check();
    },
    waitFor: (look, { timeoutMs = DEFAULT_TIMEOUT_MS, missing, signal }) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          checks.delete(check);
          signal?.removeEventListener('abort', onAbort);
        };
        const check = (): void => {
          const found = look();
          if (found === undefined) return;
          leave();
          resolve(found);
        };
        const onAbort = (): void => {
          leave();
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          leave();
          reject(new Error(`${missing()} within ${timeoutMs} ms`));
        }, timeoutMs);
        if (signal?.aborted) return onAbort();
        signal?.addEventListener('abort', onAbort);
        checks.add(check);
        check();
      }),
  };
}
