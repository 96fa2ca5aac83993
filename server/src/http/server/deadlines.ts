import { AppError } from '../../errors.ts';
import { createLine, type Line } from '../../lib/line.ts';

/** Bounds every call's wait, whatever it waits for. */
export interface Deadlines {
  /** The result of the work, or an error when its time is up; a later result is dropped. */
  within<T>(seconds: number, work: Promise<T>): Promise<T>;
  /** The same without an additional promise, for the path of every call. */
  settle<T>(
    seconds: number,
    work: Promise<T>,
    resolve: (result: T) => void,
    reject: (reason: unknown) => void,
  ): void;
}

const LOOK_MS = 250;

interface Waiting {
  dueMs: number;
  giveUp(): void;
}

/**
 * One timer for all calls: those with the same time-out are in one queue, the oldest first, so a check ends at the
 * first one that is not due. A timer for each call would cost every call more than its place in a queue.
 */
export function createDeadlines(): Deadlines {
  const lines = new Map<number, Line<Waiting>>();
  let timer: NodeJS.Timeout | undefined;
  const lineOf = (seconds: number): Line<Waiting> => {
    const known = lines.get(seconds);
    if (known) return known;
    const line = createLine<Waiting>();
    lines.set(seconds, line);
    return line;
  };
  const look = (): void => {
    const nowMs = performance.now();
    let isAnyLeft = false;
    for (const line of lines.values()) {
      let oldest = line.first();
      for (; oldest && oldest.dueMs <= nowMs; oldest = line.first()) oldest.giveUp();
      isAnyLeft ||= oldest !== undefined;
    }
    if (isAnyLeft) return;
    clearInterval(timer);
    timer = undefined;
  };
  const settle: Deadlines['settle'] = (seconds, work, resolve, reject) => {
    const fail = (reason: unknown) => {
      if (place.leave()) reject(reason);
    };
    const dueMs = performance.now() + seconds * 1000;
    const place = lineOf(seconds).add({ dueMs, giveUp: () => fail(overdue()) });
    timer ??= setInterval(look, LOOK_MS).unref();
    work.then((result) => {
      if (place.leave()) resolve(result);
    }, fail);
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
