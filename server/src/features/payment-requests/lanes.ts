import { CALL_S } from '../../act.ts';
import { AppError } from '../../errors.ts';

/**
 * Concurrent callers share one statement and one commit. A free lane leaves at the end of the event loop's turn with
 * all who came in it, so a lone caller never waits for company; while all lanes are under way, newcomers gather for the
 * next one. Measured: one unbounded lane makes convoys, and a timer that waits for company is slower than none.
 */
export interface Lanes<Item, Result> {
  /** An item that still waits at `untilMs` (on the clock that never jumps) is refused: its call was given up. */
  run(item: Item, untilMs?: number): Promise<Result>;
}

export interface LaneOptions<Item, Result> {
  lanes: number;
  maxRows: number;
  /** Answers one result for each item, in the same order. */
  execute(items: readonly Item[]): Promise<readonly Result[]>;
  /** Two items that have a name in common never share a statement. */
  namesOf?(item: Item): readonly string[];
}

interface Rider<Item, Result> {
  item: Item;
  untilMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const CALL_MS = CALL_S * 1000;

/** Refuses those whose time is up: what a caller was told to be unknown must not be done later. */
function withoutGivenUp<Item, Result>(riders: Rider<Item, Result>[]): Rider<Item, Result>[] {
  const nowMs = performance.now();
  if (riders.every(({ untilMs }) => untilMs > nowMs)) return riders;
  return riders.filter(({ untilMs, reject }) => {
    if (untilMs <= nowMs) reject(new AppError('unavailable'));
    return untilMs > nowMs;
  });
}

export function createLanes<Item, Result>(options: LaneOptions<Item, Result>): Lanes<Item, Result> {
  let waiting: Rider<Item, Result>[] = [];
  let underWay = 0;
  let isLeaving = false;

  const takeRiders = (): Rider<Item, Result>[] => {
    const names = new Set<string>();
    const taken: Rider<Item, Result>[] = [];
    const left: Rider<Item, Result>[] = [];
    for (const rider of waiting) {
      const own = options.namesOf?.(rider.item) ?? [];
      const hasPlace = taken.length < options.maxRows && !own.some((name) => names.has(name));
      (hasPlace ? taken : left).push(rider);
      if (hasPlace) for (const name of own) names.add(name);
    }
    waiting = left;
    return taken;
  };

  const drive = async (riders: readonly Rider<Item, Result>[]): Promise<void> => {
    if (riders.length === 0) return;
    try {
      const results = await options.execute(riders.map((rider) => rider.item));
      if (results.length !== riders.length) throw new Error('a shared statement lost count of its callers');
      riders.forEach((rider, index) => {
        rider.resolve(results[index] as Result);
      });
    } catch (error) {
      const [only, ...others] = riders;
      if (only && others.length === 0) only.reject(error);
      // One caller's fault never touches another: each goes again alone. Not in this lane, where others wait.
      else void driveEach(riders);
    }
  };

  let formerReruns: Promise<void> = Promise.resolve();
  /** One after the other, so that a database in trouble gets no storm of single statements. */
  const driveEach = (riders: readonly Rider<Item, Result>[]): Promise<void> => {
    formerReruns = formerReruns.then(async () => {
      for (const rider of riders) await drive(withoutGivenUp([rider]));
    });
    return formerReruns;
  };

  const leave = (): void => {
    isLeaving = false;
    waiting = withoutGivenUp(waiting);
    while (underWay < options.lanes && waiting.length > 0) {
      underWay += 1;
      void drive(takeRiders()).then(() => {
        underWay -= 1;
        leave();
      });
    }
  };

  return {
    run: (item, untilMs = performance.now() + CALL_MS) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, untilMs, resolve, reject });
        if (isLeaving || underWay >= options.lanes) return;
        isLeaving = true;
        setImmediate(leave);
      }),
  };
}
