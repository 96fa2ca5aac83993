import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export interface Migration {
  number: number;
  name: string;
  /** The text to run. */
  sql: string;
  /** Of the released form, by which databases and backups identify it. */
  checksum: string;
}

/** As the first line of a migration: its statements run one by one, as `create index concurrently` must. */
export const NO_TRANSACTION = /^-- no transaction\b/;

/**
 * Released migrations never change. One that blocks calls on large tables is run in the form that the folder below has
 * under the same name: both lead to the same newest schema.
 */
const WITHOUT_BLOCKING = 'without-blocking/';

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const other = new URL(WITHOUT_BLOCKING, folder);
  const [files, replaced] = await Promise.all([
    sqlFilesIn(folder),
    sqlFilesIn(other).catch((error: unknown): string[] => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }),
  ]);
  const migrations = await Promise.all(
    files.map(async (file) => {
      const released = await readFile(new URL(file, folder), 'utf8');
      const sql = replaced.includes(file) ? await readFile(new URL(file, other), 'utf8') : released;
      const checksum = createHash('sha256').update(released).digest('hex');
      return { number: Number(file.slice(0, 4)), name: file.slice(0, -4), sql, checksum };
    }),
  );
  for (const [index, migration] of migrations.entries()) {
    if (migration.number !== index + 1)
      throw new Error(`Migration ${migration.name} is out of order: expected number ${index + 1}.`);
  }
  return migrations;
}

async function sqlFilesIn(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
}

const BODY = /(\$\$[\s\S]*?\$\$|^begin atomic$[\s\S]*?^end\b)/m;

/** A semicolon at the end of a line ends a statement, unless it is part of the body of a function or block. */
export function statementsIn(sql: string): string[] {
  const statements = [''];
  for (const [index, part] of sql.split(BODY).entries()) {
    const [first, ...others] = index % 2 === 1 ? [part] : part.split(/;\s*$/m);
    statements.push(`${statements.pop()}${first}`, ...others);
  }
  return statements.filter((statement) => bareOf(statement) !== '');
}

/** Without comments, in one line. */
export function bareOf(statement: string): string {
  return statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
}

/** Reads a table, and waits for others, while calls continue. */
export function isConcurrent(statement: string): boolean {
  return /^((create (unique )?|drop )index concurrently|alter table \S+ validate constraint) /i.test(
    bareOf(statement),
  );
}
