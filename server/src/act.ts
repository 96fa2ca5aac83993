import { type IdPrefix, newId, newToken, type TokenKind } from '@countersign/protocol';
import type { Clock } from './lib/clock.ts';
import type { Random } from './lib/random.ts';
import type { CounterSpec, Metrics } from './metrics.ts';
import type { Signals } from './signals.ts';

/**
 * One act of one caller: the moment it happens, its correlation id, and fresh ids and secrets. Commands take
 * it instead of reading clock and randomness themselves.
 */
export interface Act {
  readonly now: Date;
  readonly requestId: string;
  newId(prefix: IdPrefix): string;
  newToken(kind: TokenKind): string;
  randomBytes(count: number): Uint8Array;
  /** Tells waiters and jobs that something changed. Only after the commit: `tx.afterCommit(() => act.announce(…))`. */
  announce(...topics: string[]): void;
  /** Counts what has happened; after the commit too. */
  count<Label extends string>(counter: CounterSpec<Label>, labels: Record<Label, string>, by?: number): void;
}

export function createAct(
  parts: { clock: Clock; random: Random; signals: Signals; metrics: Metrics },
  requestId: string,
): Act {
  const now = parts.clock.now();
  const randomBytes = (count: number) => parts.random.bytes(count);
  return {
    now,
    requestId,
    newId: (prefix) => newId(prefix, now.getTime(), randomBytes),
    newToken: (kind) => newToken(kind, randomBytes),
    randomBytes,
    announce: (...topics) => parts.signals.announce(...topics),
    count: (counter, labels, by) => parts.metrics.increment(counter, labels, by),
  };
}
