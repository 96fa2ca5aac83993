/** Something that ends at a time on the clock that never jumps. */
export interface Deadline {
  endMs: number;
  onEnd(): void;
}

export interface Deadlines {
  add(deadline: Deadline): void;
  delete(deadline: Deadline): void;
}

/** How late an end may be noticed. */
const TICK_MS = 50;

/** One timer for all requests under way: a timer for each is made and thrown away without ever going off. */
export function createDeadlines(): Deadlines {
  const waiting = new Set<Deadline>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const nowMs = performance.now();
    for (const deadline of waiting) {
      if (deadline.endMs > nowMs) continue;
      waiting.delete(deadline);
      deadline.onEnd();
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    add(deadline) {
      waiting.add(deadline);
      timer ??= setInterval(look, TICK_MS);
    },
    delete: (deadline) => void waiting.delete(deadline),
  };
}
