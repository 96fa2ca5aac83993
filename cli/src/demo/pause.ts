import type { Io } from '../command.ts';

const READING_MS = 1500;

export interface Pause {
  wait(): Promise<void>;
  end(): void;
}

/** Lets a person read: until Enter at a terminal, for a moment elsewhere. */
export function createPause(io: Pick<Io, 'stdin' | 'signal'>, say: (text: string) => void): Pause {
  const isTerminal = 'isTTY' in io.stdin && io.stdin.isTTY === true;
  const lines = isTerminal ? io.stdin[Symbol.asyncIterator]() : undefined;
  let isAtEnd = false;
  return {
    async wait() {
      if (lines === undefined) return orAborted(sleep(READING_MS), io.signal);
      if (isAtEnd) return;
      say('    Enter goes on ');
      await orAborted(
        lines.next().then(({ done }) => {
          isAtEnd = done === true;
        }),
        io.signal,
      );
    },
    end: () => void lines?.return?.(),
  };
}

function sleep(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** The signal ends the waiting; whatever was waited for may end by itself. */
function orAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
