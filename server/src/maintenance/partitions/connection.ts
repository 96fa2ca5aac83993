import type postgres from '../../../vendor/postgres/src/index.js';

/** A dedicated session, with its limits and its lock. */
export type Connection = postgres.ReservedSql<{ bigint: number }>;

export async function inTransaction(connection: Connection, work: () => Promise<void>): Promise<void> {
  await connection.unsafe('begin');
  try {
    await work();
    await connection.unsafe('commit');
  } catch (error) {
    await connection.unsafe('rollback').catch(() => {});
    throw error;
  }
}
