import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { StartError } from '../start-error.ts';
import type { Database } from './open.ts';

export class SchemaTooNewError extends Error {
  constructor(found: number, known: number) {
    super(
      `The database has schema ${found}, this version of PayAssent knows up to ${known}. ` +
        'Start the newer version that migrated it, or restore a backup from before.',
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

// One arbitrary number, the same in every process: anyone who holds it migrates, the others wait.
export const MIGRATION_LOCK = 7_264_911_003;

/** Brings the schema up to date, each step in its own transaction. Safe when many processes start at once. */
export async function migrate(db: Database, folder: URL): Promise<{ applied: string[]; level: number }> {
  const migrations = await readMigrations(folder);
  const newest = migrations.at(-1)?.number ?? 0;
  const connection = await db.reserve();
  const applied: string[] = [];
  try {
    // Waiting for another process's migration, or rewriting a large table, takes as long as it takes.
    await connection.unsafe('set statement_timeout = 0; set lock_timeout = 0');
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await connection`
      create table if not exists schema_migrations (
        number int primary key, name text not null, checksum text not null,
        applied_at timestamptz not null default now())`;
    const rows = await connection<{ number: number; checksum: string }[]>`
      select number, checksum from schema_migrations order by number`;
    const done = new Map(rows.map((row) => [row.number, row.checksum]));
    const level = Math.max(0, ...done.keys());
    if (level > newest) throw new SchemaTooNewError(level, newest);
    for (const migration of migrations) {
      const known = done.get(migration.number);
      if (known !== undefined && known !== migration.checksum) throw new SchemaChangedError(migration.name);
      if (known !== undefined) continue;
      await connection.unsafe(
        `begin; ${migration.sql};
         insert into schema_migrations (number, name, checksum)
         values (${migration.number}, '${migration.name}', '${migration.checksum}'); commit;`,
      );
      applied.push(migration.name);
    }
    return { applied, level: newest };
  } catch (error) {
    await connection.unsafe('rollback').catch(() => {});
    throw error;
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => {});
    await connection.unsafe('reset statement_timeout; reset lock_timeout').catch(() => {});
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
