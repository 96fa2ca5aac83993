import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { SQL_FOLDER } from '../../src/context.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { createDatabase } from './database.ts';

/** A database as it was before a migration, which is named without its number; `upgrade` brings it to today. */
export async function databaseBefore(name: string): Promise<{ db: Database; upgrade(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sql-'));
  const database = await createDatabase({ empty: true });
  const db = openDatabase(database.target, { pool: 1 });
  onTestFinished(async () => {
    await db.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const files = (await readdir(SQL_FOLDER)).sort();
  const at = files.findIndex((file) => file.endsWith(`_${name}.sql`));
  if (at === -1) throw new Error(`no migration is called ${name}`);
  for (const file of files.slice(0, at))
    await cp(fileURLToPath(new URL(file, SQL_FOLDER)), join(folder, file));
  await migrate(db, pathToFileURL(`${folder}/`));
  return {
    db,
    async upgrade() {
      await migrate(db, SQL_FOLDER);
    },
  };
}
