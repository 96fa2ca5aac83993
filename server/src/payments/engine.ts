import type { Network } from '@payassent/protocol';
import { layoutOf } from '../db/layout.ts';
import type { Database, Sql } from '../db/open.ts';
import type { Signals } from '../db/signals.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Memory } from '../lib/memory.ts';
import type { CallerPermission, TokenOwner } from '../principals.ts';
import { statementsOf } from '../storage/index.ts';
import { type Batches, createBatches } from './batch/batches.ts';
import { refuseGivenUp } from './batch/given-up.ts';
import type { WhenHeld } from './create/create-sql.ts';
import { createInsert, type Insert } from './create/insert.ts';
import { createPayeeMemory, type PayeeMemory } from './create/payees.ts';
import { createPendingCap, type PendingCap } from './create/pending-cap.ts';
import { type EventKind, type EventPage, type EventRead, readEvents } from './feed/event-sql.ts';
import { findPendingWaiters, type Waited } from './feed/pending-waiters.ts';
import { createStreamQuota, type StreamQuota } from './feed/stream-quota.ts';
import { createWaiters, type Waiters } from './feed/waiters.ts';
import { createPermissions, type Permissions } from './permissions/permissions.ts';
import { type AgentRead, createRecordTexts, type ReadRow, readForAgents } from './read/read-sql.ts';
import type { Links } from './record/links.ts';
import { withReviewLinks } from './record/view.ts';
import type { MovedRow, ReportOutcome, ReportRow } from './report/report-sql.ts';

export interface EngineParts {
  db: Database;
  clock: Clock;
  signals: Signals;
  stopping: AbortSignal;
  enabledNetworks: readonly Network[];
  /** Networks on which reported transactions are observed. */
  observedNetworks: readonly Network[];
  links: Links;
  owners: Memory<TokenOwner>;
  /** Of one connection; `Infinity` without a cap. */
  maxPending: number;
  /** How often one query checks for all waiters. */
  heartbeatMs?: number;
}

/** State shared by the calls of one process: statements in flight, waiting polls, cached payees. No rights. */
export interface Engine extends EngineParts {
  insert: Insert;
  /** Undefined when nothing moved. `untilMs` is the deadline of its call. */
  report(row: ReportRow, untilMs: number): Promise<MovedRow | undefined>;
  permissions: Permissions;
  reads: Batches<AgentRead, ReadRow | undefined>;
  polls: Record<EventKind, Batches<EventRead, EventPage | undefined>>;
  waiters: Waiters<Waited>;
  payees: PayeeMemory;
  pendingCap: PendingCap;
  /** For the event streams of each connection. */
  streams: StreamQuota;
}

const BATCHES_AT_ONCE = 2;
const CREATES_AT_ONCE = 24;
const READS_AT_ONCE = 48;
const REPORTS_AT_ONCE = 24;
/** More than a request has statuses, so that it cannot move so often while a report waits. */
const MAX_MOVES = 8;
const HEARTBEAT_MS = 5000;
const STREAMS_OF_A_CONNECTION = 16;

export function createEngine(parts: EngineParts): Engine {
  const { db, clock } = parts;
  const texts = createRecordTexts();
  const permissions = createPermissions(parts);
  const finish = (record: string) => withReviewLinks(record, parts.links);
  const polls = (kind: EventKind) =>
    createBatches({
      atOnce: BATCHES_AT_ONCE,
      maxRows: READS_AT_ONCE,
      execute: (reads: readonly EventRead[]) =>
        together(db, reads, (sql, own) => readEvents(sql, kind, own, clock.now())),
    });
  return {
    ...parts,
    insert: createInsert(parts, { atOnce: BATCHES_AT_ONCE, maxRows: CREATES_AT_ONCE }),
    report: createReports(parts),
    permissions,
    reads: createBatches({
      atOnce: BATCHES_AT_ONCE,
      maxRows: READS_AT_ONCE,
      execute: (reads) =>
        together(db, reads, (sql, own) => readForAgents(sql, own, texts, finish, clock.now())),
    }),
    polls: { payment_request: polls('payment_request'), agent_payment: polls('agent_payment') },
    waiters: createWaiters<Waited>({
      signals: parts.signals,
      stopping: parts.stopping,
      heartbeatMs: parts.heartbeatMs ?? HEARTBEAT_MS,
      findPendingWaiters: (subjects) => findPendingWaiters(db, permissions, subjects, clock.now()),
    }),
    payees: createPayeeMemory(),
    pendingCap: createPendingCap(parts.maxPending),
    streams: createStreamQuota(STREAMS_OF_A_CONNECTION),
  };
}

/**
 * Reports of one device go into one sequence of batches: two of them on the same connection's counter would delay each
 * other. A row that another process has locked is waited for alone.
 */
function createReports({ db, observedNetworks }: EngineParts): Engine['report'] {
  const move = (rows: readonly ReportRow[], whenHeld: WhenHeld, untilMs?: number) =>
    statementsOf(db).moveRequests(db, rows, whenHeld, observedNetworks, untilMs);
  const rows = Array.from({ length: BATCHES_AT_ONCE }, () =>
    createBatches<ReportRow, ReportOutcome | undefined>({
      atOnce: 1,
      maxRows: REPORTS_AT_ONCE,
      execute: (rows) => move(rows, 'pass over'),
      namesOf: (row) => [`${row.token_hash} ${row.request_id}`],
    }),
  );
  return async (row, untilMs) => {
    const batches = rows[row.token_hash.charCodeAt(0) % BATCHES_AT_ONCE];
    let outcome = await batches?.run(row, untilMs);
    for (let turn = 0; turn < MAX_MOVES && outcome === 'held'; turn += 1) {
      refuseGivenUp(untilMs);
      [outcome] = await move([row], 'wait', untilMs);
    }
    if (outcome === 'held') throw new AppError('unavailable');
    return typeof outcome === 'object' ? outcome : undefined;
  };
}

/** One statement for all, or for each merchant. */
function together<Read extends { permission: CallerPermission }, Result>(
  db: Database,
  reads: readonly Read[],
  read: (sql: Sql, reads: readonly Read[]) => Promise<Result[]>,
): Promise<Result[]> {
  return layoutOf(db).byMerchant(db, reads, ({ permission }) => permission.merchantId, read);
}
