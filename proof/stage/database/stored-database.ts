import { readFileSync } from 'node:fs';
import type { Database } from '../../../server/src/db/open.ts';
import type { Frame } from '../../../server/src/maintenance/backup/frames.ts';
import { createTally, type Tally } from '../../../server/src/maintenance/backup/tally.ts';

/** A table of a database that an earlier release has written. */
interface Stored {
  table: string;
  columns: string[];
  rows: string[];
}

export function tallyOf(rows: readonly string[]): Tally {
  const tally = createTally();
  tally.add(Buffer.from(rows.map((row) => `${row}\n`).join('')));
  return tally.result();
}

interface StoredDatabase {
  checksums: string[];
  tables: Stored[];
  sequences: unknown;
}

export function readStored(file: URL | string): StoredDatabase {
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { ...lines[0], tables: lines.slice(1, -1), ...lines.at(-1) };
}

/** As a backup has it. */
export async function* framesOf({
  checksums,
  tables,
  sequences,
}: StoredDatabase): AsyncGenerator<Frame, void> {
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
  // 0049: a transaction hash has one spelling.
  payment_requests: ['tx_hash'],
  payment_request_events: ['tx_hash'],
  agent_payments: ['tx_hash'],
  agent_payment_events: ['tx_hash'],
};

/** Every row, column by column, as far as no migration changes it on purpose. */
export async function contentOf(db: Database, tables: readonly Stored[]): Promise<Record<string, string[]>> {
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
