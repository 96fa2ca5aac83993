import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { talliesOf } from '../src/backup/dump.ts';
import type { Frame } from '../src/backup/frames.ts';
import { load } from '../src/backup/load.ts';
import { createTally, type Tally } from '../src/backup/tally.ts';
import { SQL_FOLDER } from '../src/context.ts';
import { migrate } from '../src/db/migrate.ts';
import { type Database, openDatabase } from '../src/db/open.ts';
import { createDatabase } from './harness/database.ts';
import { startProcess } from './harness/process.ts';
import { freePort } from './harness/service.ts';

interface Stored {
  table: string;
  columns: string[];
  rows: string[];
}

const FOLDER = new URL('fixtures/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

function tallyOf(rows: readonly string[]): Tally {
  const tally = createTally();
  tally.add(Buffer.from(rows.map((row) => `${row}\n`).join('')));
  return tally.result();
}

function read(file: string): { checksums: string[]; tables: Stored[]; sequences: unknown } {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { ...lines[0], tables: lines.slice(1, -1), ...lines.at(-1) };
}

async function* framesOf({
  checksums,
  tables,
  sequences,
}: ReturnType<typeof read>): AsyncGenerator<Frame, void> {
  yield {
    json: {
      format: 1,
      version: 'stored',
      created_at: '',
      postgres: '',
      checksums,
      key_ids: [],
      master_key: null,
    },
  };
  for (const { table, columns, rows } of tables) {
    yield { json: { table, columns } };
    if (rows.length > 0) yield { rows: Buffer.from(`${rows.join('\n')}\n`) };
    yield { json: tallyOf(rows) };
  }
  yield { json: { sequences } };
}

/** What a migration changes on purpose, by table: the columns that are not compared. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  // 0009: a merchant's trail names wallets by a pseudonym.
  audit_events: ['actor_id'],
  // 0010: what a token was made from is wiped at its first use.
  connection_tokens: ['seed'],
  // 0012: entries of drafts are pinned to what was shown, which makes another version of them.
  automation_policies: ['allowlist', 'version'],
};

async function contentOf(db: Database, tables: readonly Stored[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { table, columns } of tables) {
    const there = await db<{ name: string }[]>`
      select attname::text as name from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`;
    const kept = columns.filter((column) => there.some(({ name }) => name === column));
    const compared = kept.filter((column) => !CHANGED[table]?.includes(column));
    if (compared.length === 0) continue;
    const rows = await db.unsafe<{ row: string }[]>(
      `select row(${compared.map((name) => `"${name}"`).join(', ')})::text as row from "${table}" order by 1`,
    );
    found[`${table} (${compared.join(', ')})`] = rows.map(({ row }) => row);
  }
  return found;
}

describe('a database of an earlier release', () => {
  it('is stored for the schema of the last one', () => {
    expect(FILES).toEqual(['schema-0008.jsonl', 'schema-0036.jsonl']);
  });

  it.each(FILES)(
    '%s has data of every kind, keeps every record, and serves',
    async (file) => {
      const stored = read(file);
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
