import { CALL_S } from '../../act.ts';
import { AppError } from '../../errors.ts';

/**
 * Concurrent callers share one statement and one commit. A batch starts at the end of the event loop's turn with every
 * item of that turn, so a lone caller never waits for others; while as many batches as allowed are in flight, new items
 * gather for the next one. Measured: one unbounded batch makes convoys, and a timer that waits for more items is slower
 * than none.
 */
export interface Batches<Item, Result> {
  /** An item that still waits at `untilMs` (on the monotonic clock) is rejected: its call was given up. */
  run(item: Item, untilMs?: number): Promise<Result>;
}

export interface BatchOptions<Item, Result> {
  /** How many may run concurrently. */
  atOnce: number;
  maxRows: number;
  /** Returns one result for each item, in the same order. */
  execute(items: readonly Item[]): Promise<readonly Result[]>;
  /** Two items that have a name in common never share a statement. */
  namesOf?(item: Item): readonly string[];
}

interface Entry<Item, Result> {
  item: Item;
  untilMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const CALL_MS = CALL_S * 1000;

/** Rejects those whose time is up: a call reported as `unavailable` must not be executed later. */
function withoutGivenUp<Item, Result>(entries: Entry<Item, Result>[]): Entry<Item, Result>[] {
  const nowMs = performance.now();
  if (entries.every(({ untilMs }) => untilMs > nowMs)) return entries;
  return entries.filter(({ untilMs, reject }) => {
    if (untilMs <= nowMs) reject(new AppError('unavailable'));
    return untilMs > nowMs;
  });
}

export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): Batches<Item, Result> {
  let waiting: Entry<Item, Result>[] = [];
  let underWay = 0;
  let isLeaving = false;

  const takeEntries = (): Entry<Item, Result>[] => {
    const names = new Set<string>();
    const taken: Entry<Item, Result>[] = [];
    const left: Entry<Item, Result>[] = [];
    for (const entry of waiting) {
      const own = options.namesOf?.(entry.item) ?? [];
      const hasPlace = taken.length < options.maxRows && !own.some((name) => names.has(name));
      (hasPlace ? taken : left).push(entry);
      if (hasPlace) for (const name of own) names.add(name);
    }
    waiting = left;
    return taken;
  };

  const drive = async (entries: readonly Entry<Item, Result>[]): Promise<void> => {
    if (entries.length === 0) return;
    try {
      const results = await options.execute(entries.map((entry) => entry.item));
      if (results.length !== entries.length) throw new Error('a shared statement lost count of its callers');
      entries.forEach((entry, index) => {
        entry.resolve(results[index] as Result);
      });
    } catch (error) {
      const [only, ...others] = entries;
      if (only && others.length === 0) only.reject(error);
      // One caller's failure never affects another: each item is retried alone. Not in this batch's place, where others
      // wait.
      else void driveEach(entries);
    }
  };

  let formerReruns: Promise<void> = Promise.resolve();
  /** One after the other, so that a database in trouble gets no storm of single statements. */
  const driveEach = (entries: readonly Entry<Item, Result>[]): Promise<void> => {
    formerReruns = formerReruns.then(async () => {
      for (const entry of entries) await drive(withoutGivenUp([entry]));
    });
    return formerReruns;
  };

  const leave = (): void => {
    isLeaving = false;
    waiting = withoutGivenUp(waiting);
    while (underWay < options.atOnce && waiting.length > 0) {
      underWay += 1;
      void drive(takeEntries()).then(() => {
        underWay -= 1;
        leave();
      });
    }
  };

  return {
    run: (item, untilMs = performance.now() + CALL_MS) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, untilMs, resolve, reject });
        if (isLeaving || underWay >= options.atOnce) return;
        isLeaving = true;
        setImmediate(leave);
      }),
  };
}
