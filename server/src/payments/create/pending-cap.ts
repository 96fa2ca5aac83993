import { createMemory } from '../../lib/memory.ts';

/**
 * The cap on a connection's pending requests. They are counted by the create's own statement, but only now and then: a
 * count allows this process a few dozen creates without another, for a second. Creates that a count cannot have seen
 * use up the same allowance, so the cap is exceeded only by concurrent creates, and by at most `MOST_UNSEEN` of a
 * process.
 */
export interface PendingCap {
  readonly max: number;
  begin(connectionId: string): CappedCreate;
}

export interface CappedCreate {
  readonly isCounted: boolean;
  /** Called with any outcome; with its statement's count, or null when it did not count. */
  end(pending: number | null): void;
}

/** A tolerable excess over the cap, and enough that counting ten thousand rows costs a create next to nothing. */
const MOST_UNSEEN = 64;
const COUNT_LASTS_MS = 1000;
const MAX_REMEMBERED = 50_000;

const FREE: CappedCreate = { isCounted: false, end: () => {} };

export function createPendingCap(max: number): PendingCap {
  const known = createMemory<Connection>(MAX_REMEMBERED);
  return {
    max,
    begin(connectionId) {
      if (max === Number.POSITIVE_INFINITY) return FREE;
      let connection = known.get(connectionId);
      if (!connection) {
        connection = { left: 0, countedMs: Number.NEGATIVE_INFINITY, counts: 0, underWay: 0, ended: 0 };
        known.set(connectionId, connection);
      }
      return new CappedCreateOf(max, connection);
    },
  };
}

interface Connection {
  /** How many may follow the last count without another. */
  left: number;
  /** The start of the create that counted last. */
  countedMs: number;
  counts: number;
  underWay: number;
  ended: number;
}

class CappedCreateOf implements CappedCreate {
  readonly isCounted: boolean;
  readonly #max: number;
  readonly #of: Connection;
  readonly #beganMs = performance.now();
  readonly #countsBefore: number;
  readonly #endedBefore: number;

  constructor(max: number, of: Connection) {
    this.#max = max;
    this.#of = of;
    this.#countsBefore = of.counts;
    this.#endedBefore = of.ended;
    this.isCounted = of.left < 1 || this.#beganMs - of.countedMs > COUNT_LASTS_MS;
    if (!this.isCounted) of.left -= 1;
    of.underWay += 1;
  }

  end(pending: number | null): void {
    const of = this.#of;
    of.underWay -= 1;
    of.ended += 1;
    if (pending === null) return;
    // Its own among them, because it counted before it stored.
    const unseen = of.underWay + of.ended - this.#endedBefore;
    const left = Math.min(MOST_UNSEEN, this.#max - pending) - unseen;
    // A count that began before another one ended may be the older one: it lowers the allowance, and never raises it.
    if (this.#countsBefore !== of.counts) {
      of.left = Math.min(of.left, left);
      return;
    }
    of.left = left;
    of.counts += 1;
    of.countedMs = this.#beganMs;
  }
}
