import { createMemory } from '../../lib/memory.ts';

/**
 * How many requests of a connection may await a decision. They are counted by the create's own statement, but only now
 * and then: after a count, this process stores as many as were found to be free, at most a few dozen, without another.
 * So one process keeps the cap exactly when creates come one after the other; several processes, and creates at the same
 * moment, can pass it by what each of them may store between two counts.
 */
export interface PendingCap {
  readonly max: number;
  /** Whether the next create of this connection is to be counted; if not, it uses up one of those that were free. */
  mustCount(connectionId: string): boolean;
  /** What the statement of a counted create found. */
  found(connectionId: string, pending: number): void;
}

/** Little enough to pass the cap by, and enough that counting ten thousand rows costs a create nothing to speak of. */
const MOST_UNCOUNTED = 64;
const MAX_REMEMBERED = 50_000;

export function createPendingCap(max: number): PendingCap {
  const free = createMemory<{ left: number }>(MAX_REMEMBERED);
  return {
    max,
    mustCount(connectionId) {
      if (max === Number.POSITIVE_INFINITY) return false;
      const known = free.get(connectionId);
      if (!known || known.left < 1) return true;
      known.left -= 1;
      return false;
    },
    found(connectionId, pending) {
      free.set(connectionId, { left: Math.min(MOST_UNCOUNTED, max - pending) - 1 });
    },
  };
}
