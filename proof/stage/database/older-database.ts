import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { type Database, openDatabase } from '../../../server/src/db/open.ts';
import { createDatabase } from './database.ts';

export interface OlderDatabase {
  db: Database;
  /** Applies the named migration and every later one. */
  upgrade(): Promise<void>;
}

/** A database as it was before the migration whose file ends in `_<name>.sql`, for tests of what happens to its rows. */
export async function databaseBefore(name: string): Promise<OlderDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sql-'));
  const database = await createDatabase({ empty: true });
  const db = openDatabase(database.target, { pool: 2 });
  onTestFinished(async () => {
    await db.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const files = await readdir(SQL_FOLDER);
  const migration = files.find((file) => file.endsWith(`_${name}.sql`));
  if (migration === undefined) throw new Error(`no migration is called ${name}`);
  for (const file of files.filter((other) => other < migration))
    await cp(fileURLToPath(new URL(file, SQL_FOLDER)), join(folder, file));
  await migrate(db, pathToFileURL(`${folder}/`));
  return {
    db,
    async upgrade() {
      await migrate(db, SQL_FOLDER);
    },
  };
}
