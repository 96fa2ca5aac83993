import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../server/src/db/open.ts';

interface Finding {
  place: string;
  secret: string;
}

/** Every row of every table as text, and every file in which the database keeps them, its journal included. */
export async function scanForSecrets(db: Database, secrets: readonly string[]): Promise<Finding[]> {
  return [...(await scanTables(db, secrets)), ...(await scanFiles(db, secrets))];
}

async function scanTables(db: Database, secrets: readonly string[]): Promise<Finding[]> {
  const tables = await db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const findings: Finding[] = [];
  for (const { name } of tables) {
    const rows = await db<{ text: string }[]>`select t::text as text from ${db(name)} t`;
    const text = rows.map((row) => row.text).join('\n');
    for (const secret of secrets)
      if (text.includes(secret)) findings.push({ place: `table ${name}`, secret });
  }
  return findings;
}

async function scanFiles(db: Database, secrets: readonly string[]): Promise<Finding[]> {
  await db`checkpoint`;
  const [row] = await db<{ folder: string; oid: string }[]>`
    select current_setting('data_directory') as folder, oid::text from pg_database where datname = current_database()`;
  if (!row) throw new Error('the database does not know itself');
  const findings: Finding[] = [];
  for (const part of [`base/${row.oid}`, 'pg_wal']) {
    const folder = join(row.folder, part);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isFile()) continue;
      // Segments of the journal come and go.
      const content = await readFile(join(folder, entry.name)).catch(() => Buffer.alloc(0));
      for (const secret of secrets)
        if (content.includes(secret)) findings.push({ place: `file ${part}/${entry.name}`, secret });
    }
  }
  return findings;
}
