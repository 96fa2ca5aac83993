import type { Act } from '../../act.ts';
import type { Database } from '../../db/open.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { createLine, type Line } from '../../lib/line.ts';
import type { AttemptParts } from './attempt.ts';
import type { ClaimedRow, DueEndpoint } from './claim-sql.ts';
import { createLoad, type Load } from './load.ts';
import { createOutcomeWriter, type OutcomeWriter } from './outcome-writer.ts';
import { DEADLINE_MS } from './send.ts';

/** Longer than the longest attempt with its wait before and its record behind it. */
export const LEASE_MS = DEADLINE_MS + 5 * SECOND_MS;
/** A claimed row that has not left by then is given back: its lease might not outlast the attempt. */
const START_WITHIN_MS = 3 * SECOND_MS;

export interface WorkerParts extends AttemptParts {
  db: Database;
  stopping: AbortSignal;
  newAct(): Act;
  onOutcome(outcome: 'delivered' | 'failed' | 'given_back', count: number): void;
}

export interface Held {
  endpoint: DueEndpoint;
  row: ClaimedRow;
  lease: string;
  /** Both on the clock that never jumps. */
  claimedMs: number;
  leaseEndMs: number;
}

export interface Worker {
  parts: WorkerParts;
  load: Load;
  recorder: OutcomeWriter;
  /** Claimed rows that wait for a place, per endpoint. */
  queues: Map<string, Held[]>;
  sends: Line<Promise<unknown>>;
  /** Cut short, and not yet given back. */
  cutShort: Held[];
  cut: AbortController;
  /** Endpoints that had more due rows than places when we last looked. */
  hungry: Set<string>;
  /** The walk goes on behind this endpoint. */
  servedLast: string;
  lastClaimMs: number;
  lastTidyMs: number;
  /** Something happened since the last claim began. */
  isWoken: boolean;
  endPause: (() => void) | undefined;
}

export function createWorker(parts: WorkerParts): Worker {
  return {
    parts,
    load: createLoad(),
    recorder: createOutcomeWriter(parts.db, parts.onFault, parts.onOutcome),
    queues: new Map(),
    sends: createLine(),
    cutShort: [],
    cut: new AbortController(),
    hungry: new Set(),
    servedLast: '',
    lastClaimMs: Number.NEGATIVE_INFINITY,
    lastTidyMs: Number.NEGATIVE_INFINITY,
    isWoken: false,
    endPause: undefined,
  };
}

/** There is, or may be, something to claim. */
export function wake(worker: Worker): void {
  worker.isWoken = true;
  worker.endPause?.();
}

export function isTooLate(held: Held, nowMs: number): boolean {
  return nowMs - held.claimedMs > START_WITHIN_MS;
}

/** Something is claimed, under way, or not written down yet. */
export function isBusy(worker: Worker): boolean {
  const { load, sends, recorder, cutShort } = worker;
  return load.held > 0 || sends.first() !== undefined || recorder.size > 0 || cutShort.length > 0;
}
