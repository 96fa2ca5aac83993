import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type postgres from '../../vendor/postgres/src/index.js';
import { StartError } from '../errors.ts';
import { faultOf } from './faults.ts';
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

interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

// One arbitrary number, the same in every process: the one that holds it migrates, the others wait.
const MIGRATION_LOCK = 7_264_911_003;
const LOCK_PAUSE_MS = 100;
/** A migration that waits for a lock holds back every call behind it, so it gives way and comes again. */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_TRIES = 20;
/** As the first line of a migration: its statements run one by one, as `create index concurrently` must. */
const NO_TRANSACTION = /^-- no transaction\b/;

type Connection = postgres.ReservedSql<{ bigint: number }>;

/** Brings the schema up to date, each step in its own transaction. Safe when many processes start at once. */
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
    // Rewriting a large table takes as long as it takes.
    await connection.unsafe(`set statement_timeout = 0; set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (;;) {
      const next = await nextMigration(connection, migrations);
      if (!next) return { applied, level };
      if (await givingWay(() => step(connection, migrations, next))) applied.push(next.name);
    }
  } finally {
    await connection.unsafe('reset statement_timeout; reset lock_timeout').catch(() => {});
    connection.release();
  }
}

/** Applies one, unless another process is about it; true when it was done here. */
async function step(
  connection: Connection,
  migrations: readonly Migration[],
  wanted: Migration,
): Promise<boolean> {
  if (NO_TRANSACTION.test(wanted.sql)) return stepByStatements(connection, migrations, wanted);
  try {
    await connection.unsafe('begin');
    // Asked for, not waited for: a statement that waits has a snapshot, and an index that is built concurrently waits
    // for that.
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

/** What it leaves half done when it fails, its own first statement takes away: `drop index concurrently if exists …`. */
async function stepByStatements(
  connection: Connection,
  migrations: readonly Migration[],
  wanted: Migration,
): Promise<boolean> {
  const release = await holdMigrationLock(connection);
  try {
    if ((await nextMigration(connection, migrations))?.number !== wanted.number) return false;
    for (const statement of statementsIn(wanted.sql)) await connection.unsafe(statement);
    await connection.unsafe(noted(wanted));
    return true;
  } finally {
    await release();
  }
}

/** A semicolon at the end of a line ends a statement, unless it is part of a body between dollar signs. */
function statementsIn(sql: string): string[] {
  const statements = [''];
  for (const [index, part] of sql.split('$$').entries()) {
    const [first, ...others] = index % 2 === 1 ? [`$$${part}$$`] : part.split(/;\s*$/m);
    statements.push(`${statements.pop()}${first}`, ...others);
  }
  return statements.filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '');
}

/** For work that cannot be one transaction. The connection must be a session of its own. */
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

/** Work that lets others go first when they hold a lock, and tries again. */
export async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (faultOf(error) !== 'lock' || turn === LOCK_TRIES) throw error;
      await pause(LOCK_PAUSE_MS * turn);
    }
  }
}

const CREATE_TABLE = `
  create table if not exists schema_migrations (
    number int primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now())`;

function noted({ number, name, checksum }: Migration): string {
  return `insert into schema_migrations (number, name, checksum) values (${number}, '${name}', '${checksum}')`;
}

/** The first one that is missing. Looks only, so an up-to-date schema needs no right to change it. */
async function nextMigration(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  // Not by to_regclass, which asks the session's memory: inside of a transaction that began before another process made
  // the table it still says that there is none.
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

/** Where migrations are another's work: refuses a schema that is not the one of this version. */
export async function refuseUnmigrated(db: Database, folder: URL): Promise<number> {
  const { known, missing } = await migrationState(db, folder);
  if (missing !== undefined)
    throw new StartError(
      `The database lacks migration ${missing}, and SVC_MIGRATE is off. Run "payassent migrate" as the owner of the tables first.`,
    );
  return known;
}

/** The schema that this version knows, and the first migration that the database lacks. Refuses what it cannot work on. */
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

/** For commands that work on the schema as this version knows it, and must not change it under a running service. */
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

/** Every table that a migration makes; a later one may have dropped it again. */
export async function tableNames(folder: URL): Promise<string[]> {
  const texts = (await readMigrations(folder)).map(({ sql }) => sql);
  const found = texts.flatMap((sql) => [...sql.matchAll(/^\s*create table (?:if not exists )?"?(\w+)"?/gim)]);
  return [...new Set(found.map(([, name = '']) => name))];
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, folder), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { number: Number(file.slice(0, 4)), name: file.slice(0, -4), sql, checksum };
    }),
  );
  for (const [index, migration] of migrations.entries()) {
    if (migration.number !== index + 1)
      throw new Error(`Migration ${migration.name} is out of order: expected number ${index + 1}.`);
  }
  return migrations;
}
