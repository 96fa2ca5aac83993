import type postgres from '../../vendor/postgres/src/index.js';

/** A pool of connections. Reads may use it directly; every change goes through `transaction`. */
export type Database = postgres.Sql<{ bigint: number }>;

/** Proof that a transaction is open. Commands take it first; there is no optional transaction. */
export type Tx = postgres.TransactionSql<{ bigint: number }> & {
  /** Runs after the commit, in order; never when the transaction fails. */
  afterCommit(action: () => void): void;
};

/** Anything that can run a statement. */
export type Sql = Database | Tx;

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** A value of the caller's, or an expression of the statement that it becomes part of. */
export type Moment = Date | Fragment;
