import type { Act } from '../../act.ts';
import type { Database } from '../../db/open.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { createLine, type Line } from '../../lib/line.ts';
import { statementsOf } from '../../storage/index.ts';
import type { AttemptParts } from './attempt.ts';
import type { ClaimedRow, DueEndpoint } from './claim-sql.ts';
import { createLoad, type Load } from './load.ts';
import type { AttemptRecord, EndpointReport } from './record-sql.ts';
import { DEADLINE_MS } from './send.ts';

/** Longer than the longest attempt with its wait before and its record after it. */
export const LEASE_MS = DEADLINE_MS + 5 * SECOND_MS;
/** A claimed row that is not sent by then is returned: its lease might expire before the attempt ends. */
const START_WITHIN_MS = 3 * SECOND_MS;

interface WorkerParts extends AttemptParts {
  db: Database;
  stopping: AbortSignal;
  newAct(): Act;
  onOutcome(outcome: 'delivered' | 'failed' | 'given_back', count: number): void;
}

export interface Held {
  endpoint: DueEndpoint;
  row: ClaimedRow;
  lease: string;
  /** Both on the monotonic clock. */
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
  /** Aborted, and not yet returned. */
  cutShort: Held[];
  cut: AbortController;
  /** Endpoints that had more due rows than places when last read. */
  backlogged: Set<string>;
  /** The walk continues after this endpoint. */
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
    backlogged: new Set(),
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

/** Something is claimed, in flight, or not recorded yet. */
export function isBusy(worker: Worker): boolean {
  const { load, sends, recorder, cutShort } = worker;
  return load.held > 0 || sends.first() !== undefined || recorder.size > 0 || cutShort.length > 0;
}

interface FinishedAttempt {
  endpointId: string;
  endedAt: Date;
  /** On the monotonic clock: when another process may take the delivery over. */
  leaseEndMs: number;
  record: AttemptRecord;
}

interface OutcomeWriter {
  add(attempt: FinishedAttempt): void;
  readonly size: number;
  /** Resolves when everything that was added is written, or its lease has expired. */
  settled(): Promise<void>;
}

const BATCH = 1024;
const RETRY_PAUSE_MS = 200;
/**
 * From the start of one statement to the next: under load many attempts share a commit, otherwise none waits. A
 * finished attempt does not wait for one in flight.
 */
const STATEMENT_GAP_MS = 50;

/**
 * Writes finished attempts, as many as there are, in one statement after the other. While the database is unreachable
 * they wait, until their lease expires: then the delivery is repeated by the next process that claims it.
 */
export function createOutcomeWriter(
  db: Database,
  onFault: (error: unknown) => void,
  onOutcome: (outcome: AttemptRecord['status'], count: number) => void,
): OutcomeWriter {
  let waiting: FinishedAttempt[] = [];
  let writing = 0;
  let running: Promise<void> | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  const uncounted = { delivered: 0, failed: 0 };

  const count = () => {
    for (const outcome of ['delivered', 'failed'] as const) {
      if (uncounted[outcome] > 0) onOutcome(outcome, uncounted[outcome]);
      uncounted[outcome] = 0;
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const gapMs = lastMs + STATEMENT_GAP_MS - performance.now();
      if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
      lastMs = performance.now();
      count();
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      writing = batch.length;
      try {
        await write(db, batch);
      } catch (error) {
        onFault(error);
        const nowMs = performance.now();
        waiting = [...batch.filter((attempt) => attempt.leaseEndMs > nowMs), ...waiting];
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
      writing = 0;
    }
    running = undefined;
  };

  return {
    add(attempt) {
      waiting.push(attempt);
      uncounted[attempt.record.status] += 1;
      // Deferred: what ends in the same turn of the event loop is written together.
      running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(run);
    },
    get size() {
      return waiting.length + writing;
    },
    settled: async () => {
      while (running) await running;
    },
  };
}

async function write(db: Database, batch: readonly FinishedAttempt[]): Promise<void> {
  const reports = new Map<string, EndpointReport>();
  let latest = new Date(0);
  for (const { endpointId, endedAt, record } of batch) {
    const report = reports.get(endpointId) ?? {
      merchant_id: record.merchant_id,
      webhook_endpoint_id: endpointId,
      delivered: false,
      failed_at: null,
    };
    if (record.status === 'delivered') report.delivered = true;
    else report.failed_at ??= record.attempted_at;
    reports.set(endpointId, report);
    if (endedAt > latest) latest = endedAt;
  }
  await statementsOf(db).recordAttempts(
    db,
    batch.map((attempt) => attempt.record),
    [...reports.values()],
    latest,
  );
}
