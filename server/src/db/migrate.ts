import { setTimeout as pause } from 'node:timers/promises';
import type postgres from '../../vendor/postgres/src/index.js';
import { StartError } from '../errors.ts';
import { faultOf } from './faults.ts';
import { isConcurrent, type Migration, NO_TRANSACTION, readMigrations, statementsIn } from './migrations.ts';
import type { Database } from './open.ts';

export class SchemaTooNewError extends Error {
  constructor(found: number, known: number) {
    super(
      `The database has schema ${found}, this version of PayAssent knows up to ${known}. ` +
        'Start the newer version that migrated it, or restore a backup from before the upgrade into an empty database ' +
        '(payassent restore; docs/UPGRADING.md).',
    );
    this.name = 'SchemaTooNewError';
  }
}

/** Released migrations never change. A difference means a database of an unreleased version. */
export class SchemaChangedError extends Error {
  constructor(name: string) {
    super(
      `The database was made with another form of migration ${name} than this version of PayAssent has. ` +
        'Start the version that made it, or begin with an empty database (another SVC_DATA_DIR or DATABASE_URL).',
    );
    this.name = 'SchemaChangedError';
  }
}

// One arbitrary number, the same in every process: the holder migrates, the others wait.
const MIGRATION_LOCK = 7_264_911_003;
const LOCK_PAUSE_MS = 100;
/**
 * A statement that waits for an exclusive lock blocks every later call, so a migration gives up after this time and
 * retries. Statements that block no calls (an index built concurrently) may wait.
 */
export const BRIEF_LOCK_MS = 500;
const PATIENT_LOCK_MS = 600_000;
const GIVES_WAY_FOR_MS = 600_000;
const LONGEST_PAUSE_MS = 2_000;

type Connection = postgres.ReservedSql<{ bigint: number }>;

/** Brings the schema up to date, each step in its own transaction. Safe when many processes start together. */
export async function migrate(
  db: Database,
  folder: URL,
  upTo = Number.POSITIVE_INFINITY,
): Promise<{ applied: string[]; level: number }> {
  const migrations = (await readMigrations(folder)).filter(({ number }) => number <= upTo);
  const level = migrations.at(-1)?.number ?? 0;
  const connection = await db.reserve();
  const applied: string[] = [];
  try {
    // Rewriting a large table may take any time.
    await connection.unsafe(`set statement_timeout = 0; set lock_timeout = ${BRIEF_LOCK_MS}`);
    for (;;) {
      const next = await nextMigration(connection, migrations);
      if (!next) return { applied, level };
      if (await givingWay(connection, () => step(connection, migrations, next))) applied.push(next.name);
    }
  } finally {
    await connection.unsafe('reset statement_timeout; reset lock_timeout').catch(() => {});
    connection.release();
  }
}

/** Applies one, unless another process is applying it; true when it was done here. */
async function step(
  connection: Connection,
  migrations: readonly Migration[],
  wanted: Migration,
): Promise<boolean> {
  if (NO_TRANSACTION.test(wanted.sql)) return stepByStatements(connection, migrations, wanted);
  try {
    await connection.unsafe('begin');
    // Tried, not waited for: a waiting statement has a snapshot, and a concurrent index build waits for that.
    const [lock] = await connection<{ is_ours: boolean }[]>`
      select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as is_ours`;
    if (!lock?.is_ours) {
      await connection.unsafe('rollback');
      await pause(LOCK_PAUSE_MS);
      return false;
    }
    const isOpen = (await nextMigration(connection, migrations))?.number === wanted.number;
    if (isOpen) await connection.unsafe(`${CREATE_TABLE}; ${wanted.sql}; ${noted(wanted)}`);
    await connection.unsafe('commit');
    return isOpen;
  } catch (error) {
    await connection.unsafe('rollback').catch(() => {});
    throw error;
  }
}

/**
 * What a failure leaves half done is removed by the file's own first statement: `drop index concurrently if exists …`.
 */
async function stepByStatements(
  connection: Connection,
  migrations: readonly Migration[],
  wanted: Migration,
): Promise<boolean> {
  const release = await holdMigrationLock(connection);
  try {
    if ((await nextMigration(connection, migrations))?.number !== wanted.number) return false;
    for (const statement of statementsIn(wanted.sql)) await runAlone(connection, statement);
    await connection.unsafe(noted(wanted));
    return true;
  } finally {
    await release();
  }
}

/**
 * What was built before stays while a statement gives way. A failed concurrent build leaves a remnant: then all
 * statements run again.
 */
async function runAlone(connection: Connection, statement: string): Promise<void> {
  if (!isConcurrent(statement)) {
    await givingWay(connection, () => connection.unsafe(statement));
    return;
  }
  await connection.unsafe(`set lock_timeout = ${PATIENT_LOCK_MS}`);
  try {
    await connection.unsafe(statement);
  } finally {
    await connection.unsafe(`set lock_timeout = ${BRIEF_LOCK_MS}`).catch(() => {});
  }
}

/** For work that cannot be one transaction. The connection must be a dedicated session. */
export async function holdMigrationLock(connection: Connection): Promise<() => Promise<void>> {
  for (;;) {
    const [lock] = await connection<{ is_ours: boolean }[]>`
      select pg_try_advisory_lock(${MIGRATION_LOCK}) as is_ours`;
    if (lock?.is_ours) break;
    await pause(LOCK_PAUSE_MS);
  }
  return async () => {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => {});
  };
}

/** Work that lets other statements go first when they hold a lock, and tries again. */
export async function givingWay<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const endsMs = performance.now() + GIVES_WAY_FOR_MS;
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (faultOf(error) !== 'lock' || performance.now() > endsMs) throw error;
      await endVacuums(connection);
      await pause(Math.min(LOCK_PAUSE_MS * turn, LONGEST_PAUSE_MS));
    }
  }
}

/**
 * PostgreSQL ends an automatic vacuum for a statement that waits a second (`deadlock_timeout`) for its table. This way
 * of waiting blocks no call.
 */
async function endVacuums(connection: Connection): Promise<void> {
  const tables = await connection<{ name: string }[]>`
    select distinct l.relation::regclass::text as name
    from pg_locks l join pg_class c on c.oid = l.relation
    where l.mode = 'ShareUpdateExclusiveLock' and l.granted and l.pid <> pg_backend_pid() and c.relkind = 'r'
      and l.database = (select oid from pg_database where datname = current_database())
      and pg_has_role(c.relowner, 'usage')`;
  for (const { name } of tables) {
    const wait = [
      'begin',
      "set local lock_timeout = '3s'",
      `lock table ${name} in share update exclusive mode`,
    ];
    await connection.unsafe([...wait, 'commit'].join('; ')).catch(async (error: unknown) => {
      await connection.unsafe('rollback');
      if (faultOf(error) !== 'lock') throw error;
    });
  }
}

const CREATE_TABLE = `
  create table if not exists schema_migrations (
    number int primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now())`;

function noted({ number, name, checksum }: Migration): string {
  return `insert into schema_migrations (number, name, checksum) values (${number}, '${name}', '${checksum}')`;
}

/** The first missing one. Read-only, so an up-to-date schema needs no right to change it. */
async function nextMigration(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  // Not by to_regclass, which uses the session's cache: inside a transaction that began before another process created
  // the table it still finds none.
  const [table] = await connection<{ exists: boolean }[]>`
    select exists (
      select from pg_class where relname = 'schema_migrations' and pg_table_is_visible(oid)) as exists`;
  const rows = table?.exists
    ? await connection<{ number: number; checksum: string }[]>`
        select number, checksum from schema_migrations order by number`
    : [];
  const done = new Map(rows.map((row) => [row.number, row.checksum]));
  const newest = migrations.at(-1)?.number ?? 0;
  const level = Math.max(0, ...done.keys());
  if (level > newest) throw new SchemaTooNewError(level, newest);
  for (const migration of migrations) {
    const known = done.get(migration.number);
    if (known === undefined) return migration;
    if (known !== migration.checksum) throw new SchemaChangedError(migration.name);
  }
  return undefined;
}

/** Where migrations run separately: rejects a schema of another version. */
export async function refuseUnmigrated(db: Database, folder: URL): Promise<number> {
  const { known, missing } = await migrationState(db, folder);
  if (missing !== undefined)
    throw new StartError(
      `The database lacks migration ${missing}, and SVC_MIGRATE is off. Run "payassent migrate" as the owner of the tables first.`,
    );
  return known;
}

/**
 * The schema level that this version knows, and the first migration that the database lacks. Throws when it cannot work
 * on the database.
 */
export async function migrationState(
  db: Database,
  folder: URL,
): Promise<{ known: number; missing: string | undefined }> {
  const migrations = await readMigrations(folder);
  const connection = await db.reserve();
  try {
    const missing = await nextMigration(connection, migrations);
    return { known: migrations.length, missing: missing?.name };
  } finally {
    connection.release();
  }
}

export async function schemaLevel(db: Database): Promise<number> {
  const rows = await db<{ level: number | null }[]>`select max(number) as level from schema_migrations`;
  return rows[0]?.level ?? 0;
}

/** For commands that work on the schema of this version, and must not change it under a running service. */
export async function refuseOtherSchema(db: Database, folder: URL): Promise<void> {
  const known = (await readMigrations(folder)).length;
  const found = await schemaLevel(db);
  if (found > known) throw new SchemaTooNewError(found, known);
  if (found < known)
    throw new StartError(
      `The database has schema ${found}, this command needs ${known}. Run "payassent migrate" first.`,
    );
}

/** Of every migration that this version knows, in order. */
export async function migrationChecksums(folder: URL): Promise<string[]> {
  return (await readMigrations(folder)).map(({ checksum }) => checksum);
}

/** Every table that a migration creates; a later one may have dropped it again. */
export async function tableNames(folder: URL): Promise<string[]> {
  const texts = (await readMigrations(folder)).map(({ sql }) => sql);
  const found = texts.flatMap((sql) => [...sql.matchAll(/^\s*create table (?:if not exists )?"?(\w+)"?/gim)]);
  return [...new Set(found.map(([, name = '']) => name))];
}
