import type postgres from '../../vendor/postgres/src/index.js';
import type { Fragment, Sql } from './sql.ts';

/** An open transaction as the driver gives it. */
type Transaction = postgres.TransactionSql<{ bigint: number }>;

/**
 * How a database is laid out: all rows on one machine, or each merchant's rows on one of several nodes
 * (docs/decisions/0015-many-machines.md). A statement is written once and takes from here what differs; no other code
 * depends on the layout. What cannot be written once is in `statements`.
 */
export interface Layout {
  /** For statements about one merchant: run on the node of its rows. */
  ofMerchant<Any extends Sql>(sql: Any, merchantId: string): Any;
  /**
   * Runs work on items of several merchants: as one batch where one statement reaches them all, else merchant by
   * merchant, concurrently. `work` returns a result for each item, in order; `merchantId` is undefined when the items
   * are of several.
   */
  byMerchant<Item, Result>(
    sql: Sql,
    items: readonly Item[],
    merchantOf: (item: Item) => string,
    work: (sql: Sql, items: readonly Item[], merchantId: string | undefined) => Promise<readonly Result[]>,
  ): Promise<Result[]>;
  /** Work on the rows of all merchants that `find` names: once where one statement reaches them, else once for each. */
  across<Part>(
    sql: Sql,
    find: () => Promise<readonly string[]>,
    work: (sql: Sql, merchantId: string | undefined) => Part | PromiseLike<Part>,
  ): Promise<Part[]>;
  /** The columns that identify a connection in a unique key. */
  readonly connectionKey: string;
  /**
   * For a scan over all merchants for rows to change next: rows locked by others are skipped. Across several nodes rows
   * cannot be locked this way, so the change checks again that each row is unchanged.
   */
  passingOver(sql: Sql, alias?: string): Fragment;
  /** The same for rows whose locks are waited for. */
  holding(sql: Sql): Fragment;
  /** `column` in a form that no index has, for a planner that chooses the wrong one. */
  withoutIndex(sql: Sql, column: string): Fragment;
  /** Runs first in every transaction; the function it returns runs last, before the commit. */
  begin?(sql: Transaction): () => Promise<void>;
  /** The transaction sees this merchant's rows only. */
  bindTenant(sql: Transaction, tenant: string): void;
  /** The statements that differ between layouts: `Statements` in storage/statements.ts. */
  readonly statements?: unknown;
}

const ON_ONE_MACHINE: Layout = {
  ofMerchant: (sql) => sql,
  byMerchant: async (sql, items, _merchantOf, work) => [...(await work(sql, items, undefined))],
  across: async (sql, _find, work) => [await work(sql, undefined)],
  connectionKey: 'connection_id',
  passingOver: (sql, alias) =>
    alias === undefined ? sql`for update skip locked` : sql`for update of ${sql(alias)} skip locked`,
  holding: (sql) => sql`for update`,
  withoutIndex: (sql, column) => sql`${sql(column)} || ''`,
  bindTenant(sql, tenant) {
    sql`select set_config('svc.tenant', ${tenant}, true)`.execute();
  },
};

const LAYOUT = Symbol('layout');

interface Marked {
  [LAYOUT]?: Layout;
}

/** The layout of the database that `sql` leads to. */
export function layoutOf(sql: object): Layout {
  return (sql as Marked)[LAYOUT] ?? ON_ONE_MACHINE;
}

/** Sets the layout of the database that the connections of `db` lead to. */
export function layOut<Any extends object>(db: Any, layout: Layout): Any {
  if (layout !== ON_ONE_MACHINE) (db as Marked)[LAYOUT] = layout;
  return db;
}

/** Detects a database's layout and caches it for these connections to it. */
export type LearnLayout = (db: postgres.Sql<{ bigint: number }>, ...others: object[]) => Promise<void>;

export async function readIsDistributed(sql: postgres.Sql<{ bigint: number }>): Promise<boolean> {
  const [extension] = await sql`select from pg_extension where extname = 'citus'`;
  if (!extension) return false;
  const rows = await sql`select from pg_dist_partition where logicalrelid = 'payment_requests'::regclass`;
  return rows.length > 0;
}

export function ofMerchant<Any extends Sql>(sql: Any, merchantId: string): Any {
  return layoutOf(sql).ofMerchant(sql, merchantId);
}
