import { readdir, readFile } from 'node:fs/promises';
import type { Database } from './open.ts';

export class SchemaTooNewError extends Error {
  constructor(found: number, known: number) {
    super(
      `The database has schema ${found}, this version of Countersign knows up to ${known}. ` +
        'Start the newer version that migrated it, or restore a backup from before.',
    );
    this.name = 'SchemaTooNewError';
  }
}

interface Migration {
  number: number;
  name: string;
  sql: string;
}

// One arbitrary number, the same in every process: whoever holds it migrates, the others wait.
const MIGRATION_LOCK = 7_264_911_003;

/** Brings the schema up to date, each step in its own transaction. Safe when many processes start at once. */
export async function migrate(db: Database, folder: URL): Promise<{ applied: string[]; level: number }> {
  const migrations = await readMigrations(folder);
  const newest = migrations.at(-1)?.number ?? 0;
  const connection = await db.reserve();
  const applied: string[] = [];
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await connection`
      create table if not exists schema_migrations (
        number int primary key, name text not null, applied_at timestamptz not null default now())`;
    const rows = await connection<{ number: number }[]>`select number from schema_migrations order by number`;
    const done = new Set(rows.map((row) => row.number));
    const level = Math.max(0, ...done);
    if (level > newest) throw new SchemaTooNewError(level, newest);
    for (const migration of migrations) {
      if (done.has(migration.number)) continue;
      await connection.unsafe(
        `begin; ${migration.sql}; insert into schema_migrations (number, name) values (${migration.number}, '${migration.name}'); commit;`,
      );
      applied.push(migration.name);
    }
    return { applied, level: newest };
  } catch (error) {
    await connection.unsafe('rollback').catch(() => {});
    throw error;
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => {});
    connection.release();
  }
}

export async function schemaLevel(db: Database): Promise<number> {
  const rows = await db<{ level: number | null }[]>`select max(number) as level from schema_migrations`;
  return rows[0]?.level ?? 0;
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  const migrations = await Promise.all(
    files.map(async (file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(0, -4),
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  );
  for (const [index, migration] of migrations.entries()) {
    if (migration.number !== index + 1)
      throw new Error(`Migration ${migration.name} is out of order: expected number ${index + 1}.`);
  }
  return migrations;
}
