import { AppError } from '../errors.ts';

/** No call waits without end, whatever it waits for. */
export interface Deadlines {
  /** What the work comes to, or a refusal when its time is up; what comes later is dropped. */
  within<T>(seconds: number, work: Promise<T>): Promise<T>;
  /** The same without a promise of its own, for what every call passes through. */
  settle<T>(
    seconds: number,
    work: Promise<T>,
    resolve: (result: T) => void,
    reject: (reason: unknown) => void,
  ): void;
}

export const CALL_S = 10;

const LOOK_MS = 250;

interface Waiting {
  dueMs: number;
  reject(reason: unknown): void;
}

/**
 * One timer for all calls: those with the same time stand in one line, the oldest first, so a look ends at the first one
 * that is not due. A timer for each call would cost every call more than its place in a set.
 */
export function createDeadlines(): Deadlines {
  const lines = new Map<number, Set<Waiting>>();
  let timer: NodeJS.Timeout | undefined;
  const lineOf = (seconds: number): Set<Waiting> => {
    const line = lines.get(seconds) ?? new Set();
    lines.set(seconds, line);
    return line;
  };
  const look = (): void => {
    const nowMs = performance.now();
    let isAnyLeft = false;
    for (const line of lines.values()) {
      for (const waiting of line) {
        if (waiting.dueMs > nowMs) break;
        line.delete(waiting);
        waiting.reject(overdue());
      }
      isAnyLeft ||= line.size > 0;
    }
    if (isAnyLeft) return;
    clearInterval(timer);
    timer = undefined;
  };
  const settle: Deadlines['settle'] = (seconds, work, resolve, reject) => {
    const line = lineOf(seconds);
    const waiting: Waiting = { dueMs: performance.now() + seconds * 1000, reject };
    line.add(waiting);
    timer ??= setInterval(look, LOOK_MS).unref();
    work.then(
      (result) => {
        if (line.delete(waiting)) resolve(result);
      },
      (error: unknown) => {
        if (line.delete(waiting)) reject(error);
      },
    );
  };
  return {
    settle,
    within: (seconds, work) => new Promise((resolve, reject) => settle(seconds, work, resolve, reject)),
  };
}

function overdue(): AppError {
  return new AppError('unavailable', {
    message: 'The call took too long and was given up. Whether its change was made is unknown.',
    cause: Object.assign(new Error('a call was given up after its time'), { code: 'DEADLINE' }),
  });
}
