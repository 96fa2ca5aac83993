import type { Network } from '@payassent/protocol';
import type { Database, Fragment, Sql, Tx } from '../db/open.ts';
import type { QueuedEntry } from '../features/transparency-log/entry-text.ts';
import type { DueEndpoint } from '../features/webhooks/claim-sql.ts';
import type { AttemptRecord, EndpointReport } from '../features/webhooks/record-sql.ts';
import type { SaidEvent } from '../features/webhooks/rows.ts';
import type { ClosedRow, RequestSelection } from '../payments/close/close-sql.ts';
import type { CreateOutcome, CreateRow, WhenHeld } from '../payments/create/create-sql.ts';
import type { RightsRow } from '../payments/permissions/authorize-sql.ts';
import type { ReportOutcome, ReportRow } from '../payments/report/report-sql.ts';

/**
 * The statements that differ between layouts of a database. Everything else is written once and gets what differs from
 * `layoutOf`.
 */
export interface Statements {
  /** One outcome for each row. */
  insertRequests(
    sql: Sql,
    rows: readonly CreateRow[],
    now: Date,
    whenHeld: WhenHeld,
    maxPending: number,
  ): Promise<CreateOutcome[]>;
  /** Wallets' reports; one outcome for each row. Lock waits end at `untilMs`. */
  moveRequests(
    db: Database,
    rows: readonly ReportRow[],
    whenHeld: WhenHeld,
    observed: readonly Network[],
    untilMs?: number,
  ): Promise<ReportOutcome[]>;
  /** Ends pending requests without a decision. `seed` is a fresh event id. */
  closePending(
    sql: Sql,
    selection: RequestSelection,
    moment: { now: Date; seed: string },
  ): Promise<ClosedRow[]>;
  /** The rights of these tokens, given as a text list. */
  callerRights(sql: Sql, tokens: string): Promise<readonly RightsRow[]>;
  /** Changes when requests move to another node, so that an earlier cursor is recognized. */
  placements(sql: Sql): Promise<string>;
  /** Messages and their deliveries to the subscribed endpoints; returns how many deliveries. */
  queueMessages(tx: Tx, messages: readonly SaidEvent[], now: Date): Promise<number>;
  /**
   * Records the outcomes of many attempts, their successors, and whether their endpoints are failing. A row whose lease
   * has expired is skipped: another process has taken the delivery over.
   */
  recordAttempts(
    db: Database,
    attempts: readonly AttemptRecord[],
    reports: readonly EndpointReport[],
    now: Date,
  ): Promise<void>;
  /**
   * The endpoints with due rows, each once, starting after `behind` and wrapping round. `endedAt` is where a limited
   * walk ended; undefined when it came all the way round.
   */
  walkDueEndpoints(
    db: Database,
    behind: string,
    now: Date,
    maxSteps: number,
  ): Promise<{ due: DueEndpoint[]; endedAt: string | undefined }>;
  /** Endpoints with at least `cap` waiting deliveries, after `behind`, and where the next scan begins. */
  findFullEndpoints(tx: Tx, behind: string, cap: number): Promise<{ full: string[]; reached: string }>;
  /** When the longest waiting delivery was or is due. */
  oldestDelivery(db: Database): Fragment;
  /** Parts of the backlog query: the first waiting deliveries, and when the first lookup on a chain was due. */
  backlog(sql: Sql, networks: readonly string[], now: Date): { deliveries: Fragment; firstLook: Fragment };
  /** Where nodes store log entries until they are collected; absent where this is not needed. */
  readonly outbox?: Outbox;
}

interface Outbox {
  has(sql: Sql): Promise<boolean>;
  /** Moves up to `limit` into the log's queue; one transaction does so at a time. Returns how many. */
  take(tx: Tx, limit: number): Promise<number>;
  find(sql: Sql, subjects: readonly string[]): Promise<QueuedEntry[]>;
  /** The times `at` of its entries. */
  waiting(sql: Sql, limit: number): Fragment;
}
