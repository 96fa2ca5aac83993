// Distributing a database over several nodes with Citus.
// The command line and the start of the service import it; backups import `readiness` and `plan`.
// All tables are placed in one transaction, or none is.

import { holdMigrationLock } from '../../db/migrate.ts';
import type { Database } from '../../db/open.ts';
import { OperatorError } from '../../errors.ts';
import { type Connection, inTransaction } from '../partitions/connection.ts';
import { type DatabaseLayout, findLeftTables, readLayout } from './layout.ts';
import { refuseOtherSessions, refuseShards, refuseUnready } from './readiness.ts';
import { placeLeftTables, placeTables } from './steps.ts';

export interface DistributionOptions {
  /** How many shards each table gets, over all nodes. */
  shards: number;
  /** The table that is being distributed, how many are done, and how many there are. */
  progress?(table: string, done: number, tables: number): void;
}

export interface DistributionReport extends DatabaseLayout {
  /** False when it was already distributed: then only tables that an earlier release left are distributed too. */
  isNew: boolean;
}

const LOCK_TIMEOUT_MS = 10_000;
/** One arbitrary number, the same in every process. */
const LOCK = 7_264_911_005;

/**
 * Distributes the tables of a migrated database by merchant over the nodes that its coordinator knows, in one
 * transaction. No process of the service may be running: it would not notice.
 */
export async function distributeDatabase(
  owner: Database,
  { shards, progress }: DistributionOptions,
): Promise<DistributionReport> {
  refuseShards(shards);
  return alone(owner, async (connection) => {
    const tell = progress ?? (() => {});
    const found = await readLayout(connection);
    if (found) {
      const left = await findLeftTables(connection as unknown as Database);
      if (left.length > 0) {
        await refuseOtherSessions(connection, 'start them again when the tables are distributed');
        await inTransaction(connection, () => placeLeftTables(connection, left, tell));
      }
      return { ...found, isNew: false };
    }
    await refuseUnready(connection);
    await inTransaction(connection, () => placeTables(connection, shards, tell));
    const layout = await readLayout(connection);
    if (!layout) throw new Error('The tables are not distributed.');
    return { ...layout, isNew: true };
  });
}

/** A process that starts meanwhile waits for the migration lock, and then detects the layout. */
async function alone<T>(db: Database, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await db.reserve();
  let release: (() => Promise<void>) | undefined;
  try {
    const [lock] = await connection<{ is_ours: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as is_ours`;
    if (!lock?.is_ours)
      throw new OperatorError('Another command is distributing this database: wait until it is done.');
    release = await holdMigrationLock(connection);
    await connection.unsafe(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${LOCK_TIMEOUT_MS}`,
    );
    return await work(connection);
  } finally {
    await connection.unsafe('reset all').catch(() => {});
    await release?.();
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {});
    connection.release();
  }
}
