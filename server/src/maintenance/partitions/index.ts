// Partitions for the tables that grow with every request, created while the service runs. The command line and backups
// import it. The table itself is untouched until its copy has the same rows, and then takes its name in one
// transaction.

import { BRIEF_LOCK_MS, givingWay } from '../../db/migrate.ts';
import type { Database } from '../../db/open.ts';
import { readTables, tableStatements } from '../../db/roles/grants.ts';
import { groupName, ROLE_KINDS } from '../../db/roles/names.ts';
import { OperatorError } from '../../errors.ts';
import { type Connection, inTransaction } from './connection.ts';
import { type CopyState, compareContents, copyRows, PROGRESS } from './copy.ts';
import { type Cut, cutOf, PARTITIONED_TABLES } from './cut.ts';
import { creationOf, fingerprintOf, readShape, removalOf, switchOf, type TableShape } from './shape.ts';

export interface PartitionedTable {
  table: string;
  by: 'merchant' | 'time';
  partitions: number;
  rows: number;
  /** False when it already had them. */
  isNew: boolean;
}

export interface PartitionOptions {
  /** A table's progress: rows copied, and about how many there are. */
  progress?(table: string, copied: number, rows: number): void;
  /** Per transaction. */
  rowsAtOnce?: number;
  signal?: AbortSignal | undefined;
}

const ROWS_AT_ONCE = 2000;
const FEWEST = 2;
const MOST = 1024;
/** One arbitrary number: two concurrent commands would each undo the other's work. */
const LOCK = 7_264_911_004;

/**
 * Partitions the tables that grow with every request, while the service runs: a number by merchant where rows are kept,
 * time ranges where they are deleted. A copy is filled part by part and kept up to date by a trigger; when it has the
 * same rows with the same digests, it takes the name of the table in one short transaction. After any interruption the
 * table itself is untouched, and the next run resumes.
 */
export async function partitionTables(
  db: Database,
  partitions: number,
  options: PartitionOptions = {},
): Promise<PartitionedTable[]> {
  if (!Number.isInteger(partitions) || partitions < FEWEST || partitions > MOST)
    throw new OperatorError(
      `The number of partitions must be between ${FEWEST} and ${MOST}, for example 64.`,
    );
  return alone(db, async (connection) => {
    await refuseEarlierReleases(connection);
    await connection.unsafe(PROGRESS);
    const done: PartitionedTable[] = [];
    for (const table of PARTITIONED_TABLES)
      done.push(await partition(connection, table, partitions, options));
    await connection.unsafe('drop table partition_copies');
    return done;
  });
}

/** They claim webhook deliveries by their physical row id, which is not unique across ranges. */
async function refuseEarlierReleases(connection: Connection): Promise<void> {
  const [earlier] = await connection<[{ sessions: number }]>`
    select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and application_name = 'payassent'`;
  if (earlier.sessions > 0)
    throw new OperatorError(
      `Processes of an earlier release are connected to this database (sessions: ${earlier.sessions}). They cannot work ` +
        'with ranges of time. Update every process of the service first.',
    );
}

/** Removes what an interrupted run left behind; partitioned tables keep their partitions. */
export async function abandonCopies(db: Database): Promise<void> {
  await alone(db, async (connection) => {
    for (const table of PARTITIONED_TABLES) await runTogether(connection, removalOf(table));
    await connection.unsafe('drop table if exists partition_copies');
  });
}

async function alone<T>(db: Database, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await db.reserve();
  try {
    const [lock] = await connection<{ is_ours: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as is_ours`;
    if (!lock?.is_ours)
      throw new OperatorError(
        'Another command is giving this database its partitions: wait until it is done.',
      );
    await connection.unsafe(`set statement_timeout = 0; set lock_timeout = ${BRIEF_LOCK_MS}`);
    return await work(connection);
  } finally {
    await connection.unsafe('reset all').catch(() => {});
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {});
    connection.release();
  }
}

async function partition(
  connection: Connection,
  table: string,
  partitions: number,
  { progress, signal, rowsAtOnce = ROWS_AT_ONCE }: PartitionOptions,
): Promise<PartitionedTable> {
  const shape = await readShape(connection, table);
  const cut = await cutOf(connection, table, partitions);
  const by = cut.kind === 'hash' ? 'merchant' : 'time';
  if (shape.isPartitioned) {
    if (by === 'time' || shape.partitions === partitions)
      return { table, by, partitions: shape.partitions, rows: shape.rows, isNew: false };
    throw new OperatorError(
      `${table} has ${shape.partitions} partitions. Their number is fixed once they are made: ` +
        'back up, and restore into a new database to choose another.',
    );
  }
  const state = await openCopy(connection, shape, cut);
  const tell = (copied: number) => progress?.(table, copied, shape.rows);
  await copyRows(connection, shape, state, { rowsAtOnce, tell, signal, losesRows: cut.losesRows });
  // An automatic vacuum of rows that were just copied holds its table for long.
  await givingWay(connection, () => connection.unsafe(`analyze ${table}_copy`));
  const { original, copy } = await compareContents(connection, shape);
  if (original.rows !== copy.rows || original.digest !== copy.digest) {
    await runTogether(connection, removalOf(table));
    await connection`delete from partition_copies where table_name = ${table}`;
    throw new OperatorError(
      `The copy of ${table} has ${copy.rows} rows with the digest ${copy.digest}, the table ${original.rows} with ` +
        `${original.digest}. The copy was taken away and the table is as it was: run the command again.`,
    );
  }
  signal?.throwIfAborted();
  await switchTables(connection, shape);
  return { table, by, partitions: cut.partitions.length, rows: original.rows, isNew: true };
}

/** The progress of a copy of the same table with the same partitions, or of a new one. */
async function openCopy(connection: Connection, shape: TableShape, cut: Cut): Promise<CopyState> {
  const { table } = shape;
  // Ranges that were created on another day are fine too: more of them are created over time.
  const partitions = cut.kind === 'hash' ? cut.partitions.length : 0;
  const [known] = await connection<CopyState[]>`
    select after, copied from partition_copies
    where table_name = ${table} and partitions = ${partitions} and shape = ${fingerprintOf(shape)}`;
  if (known) return known;
  await runTogether(connection, [
    ...removalOf(table),
    `delete from partition_copies where table_name = '${table}'`,
    ...creationOf(shape, cut),
    `insert into partition_copies (table_name, partitions, shape)
       values ('${table}', ${partitions}, '${fingerprintOf(shape).replaceAll("'", "''")}')`,
  ]);
  return { after: [], copied: 0 };
}

/** Nothing can be written between the renames: concurrent calls wait, and find the new table. */
function switchTables(connection: Connection, copied: TableShape): Promise<void> {
  const { table } = copied;
  return givingWay(connection, () =>
    inTransaction(connection, async () => {
      await connection.unsafe(`lock table ${table} in access exclusive mode`);
      // Current triggers and functions. A column or index that a migration has added is not in the copy.
      const shape = await readShape(connection, table);
      if (fingerprintOf(shape) !== fingerprintOf(copied))
        throw new OperatorError(
          `${table} was migrated while it was copied. Nothing was changed: run it again.`,
        );
      for (const statement of switchOf(shape)) await connection.unsafe(statement);
      for (const statement of await grantsFor(connection, table)) await connection.unsafe(statement);
      await connection`delete from partition_copies where table_name = ${table}`;
    }),
  );
}

/** The same rights and policies as the roles of the service had; none where the owner does everything. */
async function grantsFor(connection: Connection, table: string): Promise<string[]> {
  const [place] = await connection<{ database: string }[]>`select current_database()::text as database`;
  const database = place?.database ?? '';
  const groups = ROLE_KINDS.map((kind) => groupName(database, kind));
  const found = await connection`select from pg_roles where rolname = any(${groups})`;
  if (found.length < groups.length) return [];
  const facts = await readTables(connection as unknown as Database, [table], false);
  return facts.flatMap((each) => tableStatements(database, each, facts));
}

function runTogether(connection: Connection, statements: readonly string[]): Promise<void> {
  return givingWay(connection, () =>
    inTransaction(connection, async () => {
      for (const statement of statements) await connection.unsafe(statement);
    }),
  );
}
