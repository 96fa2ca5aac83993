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
 * What is another text on each layout of a database. Everything else is written once and asks `layoutOf` for what
 * differs.
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
  /** Wallets' reports; one outcome for each row. What is waited for is waited for until `untilMs`. */
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
  /** What the callers of these tokens, a text list, may do. */
  callerRights(sql: Sql, tokens: string): Promise<readonly RightsRow[]>;
  /** Changes when requests move to another node, so that a cursor of before is known. */
  placements(sql: Sql): Promise<string>;
  /** Messages and their deliveries to the endpoints that want them; answers how many deliveries. */
  queueMessages(tx: Tx, messages: readonly SaidEvent[], now: Date): Promise<number>;
  /**
   * Writes what many attempts came to, their successors, and whether their endpoints are failing. A row whose lease
   * is not ours any more is left alone: somebody else has taken the delivery over.
   */
  recordAttempts(
    db: Database,
    attempts: readonly AttemptRecord[],
    reports: readonly EndpointReport[],
    now: Date,
  ): Promise<void>;
  /**
   * The endpoints for which something is due, each once, beginning behind `behind` and round to it again. `endedAt` is
   * where the walk ended for its length; undefined when it came all the way round.
   */
  walkDueEndpoints(
    db: Database,
    behind: string,
    now: Date,
    maxSteps: number,
  ): Promise<{ due: DueEndpoint[]; endedAt: string | undefined }>;
  /** Endpoints with at least `cap` waiting deliveries, from behind `behind`, and where the next look begins. */
  findFullEndpoints(tx: Tx, behind: string, cap: number): Promise<{ full: string[]; reached: string }>;
  /** When the longest waiting delivery was or is due. */
  oldestDelivery(db: Database): Fragment;
  /** Parts of the look at what waits: the first waiting deliveries, and when the first look at a chain was due. */
  backlog(sql: Sql, networks: readonly string[], now: Date): { deliveries: Fragment; firstLook: Fragment };
  /** Where nodes keep what is for the transparency log until it is taken up; absent where nothing has to be. */
  readonly outbox?: Outbox;
}

interface Outbox {
  has(sql: Sql): Promise<boolean>;
  /** Takes up to `limit` into the queue of the log, in the transaction that the caller has alone. Answers how many. */
  take(tx: Tx, limit: number): Promise<number>;
  find(sql: Sql, subjects: readonly string[]): Promise<QueuedEntry[]>;
  /** Moments `at` of what waits. */
  waiting(sql: Sql, limit: number): Fragment;
}
