import type { Database } from '../../db/open.ts';
import { statementsOf } from '../../storage/index.ts';
import type { AttemptRecord, EndpointReport } from './record-sql.ts';

export interface FinishedAttempt {
  endpointId: string;
  endedAt: Date;
  /** On the clock that never jumps: when somebody else may take the delivery over. */
  leaseEndMs: number;
  record: AttemptRecord;
}

export interface OutcomeWriter {
  add(attempt: FinishedAttempt): void;
  readonly size: number;
  /** Resolves when everything that was added is written, or is nobody's business any more. */
  settled(): Promise<void>;
}

const BATCH = 1024;
const RETRY_PAUSE_MS = 200;
/**
 * From the start of one statement to the next: under load many attempts share a commit, otherwise none waits. Nobody
 * waits for an attempt that is still under way.
 */
const STATEMENT_GAP_MS = 50;

/**
 * Writes finished attempts, as many as there are, in one statement after the other. While the database is away
 * they wait, until their lease is over: then the delivery is repeated by the next one who claims it.
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
      // A moment later: what ends in the same turn of the event loop is written together.
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
