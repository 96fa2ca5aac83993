import { type IdPrefix, newId, newToken, type TokenKind } from '@payassent/protocol';
import type { Signals } from './db/signals.ts';
import type { Clock } from './lib/clock.ts';
import type { Random } from './lib/random.ts';
import { TIME_OUTS } from './limits.ts';
import type { CounterSpec, Metrics } from './telemetry/metrics.ts';

/** Seconds a call may take, in addition to any long-poll wait it requests. */
export const CALL_S = TIME_OUTS.call.s;

/**
 * One act of one caller: its time, its correlation id, and a source of fresh ids and secrets. Commands take it instead
 * of reading clock and randomness themselves.
 */
export interface Act {
  readonly now: Date;
  /** The deadline of the call, without any long-poll wait, on the monotonic clock. */
  readonly untilMs: number;
  readonly requestId: string;
  /** Set when a second owner approved the act: the audit trail records both. */
  readonly approval?: Approved | undefined;
  newId(prefix: IdPrefix): string;
  newToken(kind: TokenKind): string;
  randomBytes(count: number): Uint8Array;
  /** Notifies waiters and jobs of a change. Only after the commit: `tx.afterCommit(() => act.announce(…))`. */
  announce(...topics: string[]): void;
  /** Counts an outcome; only after the commit too. */
  count<Label extends string>(counter: CounterSpec<Label>, labels: Record<Label, string>, by?: number): void;
}

export interface Approved {
  approvalId: string;
  approvedBy: string;
}

export interface ActParts {
  clock: Clock;
  random: Random;
  signals: Signals;
  metrics: Metrics;
}

export function createAct(parts: ActParts, requestId: string, approval?: Approved): Act {
  return new ActOf(parts, requestId, approval);
}

/** A class, because every call creates one: its methods are shared. */
class ActOf implements Act {
  readonly now: Date;
  readonly untilMs = performance.now() + CALL_S * 1000;
  readonly requestId: string;
  readonly approval: Approved | undefined;
  /** A bare function, because some callers pass it on without its object. */
  readonly randomBytes: Random['bytes'];
  readonly #parts: ActParts;

  constructor(parts: ActParts, requestId: string, approval: Approved | undefined) {
    this.now = parts.clock.now();
    this.requestId = requestId;
    this.approval = approval;
    this.randomBytes = parts.random.bytes;
    this.#parts = parts;
  }

  newId(prefix: IdPrefix): string {
    return newId(prefix, this.now.getTime(), this.randomBytes);
  }

  newToken(kind: TokenKind): string {
    return newToken(kind, this.randomBytes);
  }

  announce(...topics: string[]): void {
    this.#parts.signals.announce(...topics);
  }

  count<Label extends string>(counter: CounterSpec<Label>, labels: Record<Label, string>, by?: number): void {
    this.#parts.metrics.increment(counter, labels, by);
  }
}
