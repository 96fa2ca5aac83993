import { createLine, type Place } from '../line.ts';

/** Something that ends at a time on the clock that never jumps. */
export interface Deadline {
  endMs: number;
  onEnd(): void;
}

export interface Deadlines {
  add(deadline: Deadline): Place;
}

/** How late an end may be noticed. */
const TICK_MS = 50;

/** One timer for all requests under way: a timer for each is made and thrown away without ever going off. */
export function createDeadlines(): Deadlines {
  const waiting = createLine<Deadline>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const nowMs = performance.now();
    for (const deadline of waiting.values()) if (deadline.endMs <= nowMs) deadline.onEnd();
    if (waiting.first()) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    add(deadline) {
      timer ??= setInterval(look, TICK_MS);
      return waiting.add(deadline);
    },
  };
}
