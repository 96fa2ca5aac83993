/**
 * Concurrent callers share one statement and one commit. A free lane leaves at the end of the event loop's turn with
 * all who came in it, so a lone caller never waits for company; while all lanes are under way, newcomers gather for the
 * next one. Measured: one unbounded lane makes convoys, and a timer that waits for company is slower than none.
 */
export interface Lanes<Item, Result> {
  run(item: Item): Promise<Result>;
}

export interface LaneOptions<Item, Result> {
  lanes: number;
  maxRows: number;
  /** Answers one result for each item, in the same order. */
  execute(items: readonly Item[]): Promise<readonly Result[]>;
  /** Two items with one name never ride together. */
  nameOf?(item: Item): string | undefined;
}

interface Rider<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
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
      const name = options.nameOf?.(rider.item);
      const hasPlace = taken.length < options.maxRows && (name === undefined || !names.has(name));
      (hasPlace ? taken : left).push(rider);
      if (hasPlace && name !== undefined) names.add(name);
    }
    waiting = left;
    return taken;
  };

  const drive = async (riders: readonly Rider<Item, Result>[]): Promise<void> => {
    try {
      const results = await options.execute(riders.map((rider) => rider.item));
      if (results.length !== riders.length) throw new Error('a shared statement lost count of its callers');
      riders.forEach((rider, index) => {
        rider.resolve(results[index] as Result);
      });
    } catch (error) {
      const [only, ...others] = riders;
      if (only && others.length === 0) only.reject(error);
      // One caller's fault never touches another: each goes again by itself.
      else for (const rider of riders) await drive([rider]);
    }
  };

  const leave = (): void => {
    isLeaving = false;
    while (underWay < options.lanes && waiting.length > 0) {
      underWay += 1;
      void drive(takeRiders()).then(() => {
        underWay -= 1;
        leave();
      });
    }
  };

  return {
    run: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (isLeaving || underWay >= options.lanes) return;
        isLeaving = true;
        setImmediate(leave);
      }),
  };
}
