import { setTimeout as pause } from 'node:timers/promises';
import { type Line, openLine } from './sockets.ts';

export interface Arrivals {
  /** How many calls should have come by now. */
  due(): number;
  /** Stops new arrivals; resolves when the pending ones have responses, or after the given time. */
  stop(withinMs?: number): Promise<void>;
}

/**
 * Calls by the clock, whatever the responses do. A call that finds no free connection waits, and its time counts from the
 * moment it was due: a service that stalls is charged for everybody who would have come meanwhile.
 */
export async function startArrivals(
  { port, ratePerS, sockets }: { port: number; ratePerS: number; sockets: number },
  next: () => string | undefined,
  events: {
    answered(call: { status: number; text(): string; dueMs: number }): void;
    failed(error: Error): void;
  },
): Promise<Arrivals> {
  const lines: Line[] = [];
  const free: Line[] = [];
  const dueOf = new Map<Line, number>();
  const queue: number[] = [];
  const dispatch = () => {
    while (queue.length > 0 && free.length > 0) {
      const request = next();
      // Round-robin: the service closes connections that are idle for long.
      const line = free.shift();
      const dueMs = queue.shift();
      if (request === undefined) return events.failed(new Error('the source ran dry'));
      if (!line || dueMs === undefined) return;
      dueOf.set(line, dueMs);
      line.send(request);
    }
  };
  const lineEvents = {
    answered(line: Line, status: number, text: () => string) {
      events.answered({ status, text, dueMs: dueOf.get(line) ?? 0 });
      free.push(line);
      dispatch();
    },
    failed: events.failed,
  };
  for (let count = 0; count < sockets; count += 1) lines.push(await openLine(port, lineEvents));
  free.push(...lines);
  const beginMs = performance.now();
  const due = () => Math.floor(((performance.now() - beginMs) / 1000) * ratePerS);
  let arrived = 0;
  let isOver = false;
  const tick = () => {
    for (const now = due(); arrived < now; arrived += 1) queue.push(beginMs + (arrived / ratePerS) * 1000);
    dispatch();
    if (!isOver) setTimeout(tick, 1);
  };
  tick();
  return {
    due,
    async stop(withinMs = 30_000) {
      isOver = true;
      const endMs = performance.now() + withinMs;
      while ((free.length < lines.length || queue.length > 0) && performance.now() < endMs) await pause(10);
      for (const line of lines) line.close();
    },
  };
}
