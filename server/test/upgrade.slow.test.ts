// Slow: upgrades every stored database.
import { readdirSync } from 'node:fs';
import { createDatabase } from '@payassent/test-kit/database';
import { startProcess } from '@payassent/test-kit/process';
import { freePort } from '@payassent/test-kit/service';
import { contentOf, framesOf, readStored, tallyOf } from '@payassent/test-kit/stored-database';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SQL_FOLDER } from '../src/context.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { talliesOf } from '../src/maintenance/backup/dump.ts';
import { load } from '../src/maintenance/backup/load.ts';

const FOLDER = new URL('fixtures/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

describe('a database of an earlier release', () => {
  it('is stored for the schema of the last one', () => {
    expect(FILES).toEqual([
      'schema-0008.jsonl',
      'schema-0036.jsonl',
      'schema-0039.jsonl',
      'schema-0040.jsonl',
      'schema-0044.jsonl',
      'schema-0046.jsonl',
    ]);
  });

  it.each(FILES)(
    '%s has data of every kind, keeps every record, and serves',
    async (file) => {
      const stored = readStored(new URL(file, FOLDER));
      const database = await createDatabase({ empty: true });
      onTestFinished(() => database.drop());
      const db = openDatabase(database.target, { pool: 1, patient: true });
      await load(db, framesOf(stored));
      const connection = await db.reserve();
      const tallies = await talliesOf(connection);
      connection.release();
      for (const { table, rows } of stored.tables) expect(tallies.get(table)).toEqual(tallyOf(rows));
      for (const table of [
        'payment_requests',
        'payment_request_events',
        'recipient_versions',
        'agent_payments',
      ])
        expect(tallies.get(table)?.rows, table).toBeGreaterThan(0);
      const before = await contentOf(db, stored.tables);
      await migrate(db, SQL_FOLDER);
      const after = await contentOf(db, stored.tables);
      const changed = Object.keys(after).filter((what) => String(after[what]) !== String(before[what]));
      expect(changed).toEqual([]);
      await db.end();

      const port = await freePort();
      const env = {
        DATABASE_URL: database.url,
        SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        SVC_PORT: String(port),
      };
      const service = await startProcess(env, { readyWithinMs: 120_000 });
      expect(await service.end()).toBe(0);
    },
    300_000,
  );
});
