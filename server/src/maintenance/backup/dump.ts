import type postgres from '../../../vendor/postgres/src/index.js';
import type { Database } from '../../db/open.ts';
import { quoted } from '../../db/roles/names.ts';
import { BackupError } from '../../errors.ts';
import { VERSION } from '../../lib/version.ts';
import { FOR_MACHINES } from '../distribution/plan.ts';
import { PROGRESS_TABLE } from '../partitions/copy.ts';
import { PARTITIONED_TABLES } from '../partitions/cut.ts';
import { copyOf } from '../partitions/shape.ts';
import type { Frame } from './frames.ts';
import { createTally, type Tally } from './tally.ts';

export type ReservedConnection = postgres.ReservedSql<{ bigint: number }>;

export interface Manifest {
  format: 1;
  version: string;
  created_at: string;
  postgres: string;
  /** Of every migration that was applied, in order. */
  checksums: string[];
  /** Ids of the master keys that the database has worked with. */
  key_ids: string[];
  /** The current one, in base64, when the backup was to include it. */
  master_key: string | null;
}

export interface TableHead {
  table: string;
  columns: string[];
}

export interface Sequence {
  name: string;
  last_value: number;
  is_called: boolean;
}

/**
 * What migrations and starts recreate: the grants of roles belong to the server they were made on. Copies that are to
 * become partitioned tables: their rows are in the tables themselves. And what only a distributed database has.
 */
const LEFT_OUT = [
  'schema_migrations',
  'role_grants',
  PROGRESS_TABLE,
  ...PARTITIONED_TABLES.map((table) => copyOf(table)),
  ...FOR_MACHINES,
];

/** Everything in one snapshot; the service may keep running, unless the database is distributed. */
export async function* dump(db: Database, masterKey: string | null): AsyncGenerator<Frame, void> {
  const connection = await db.reserve();
  try {
    await connection.unsafe('begin isolation level repeatable read read only');
    yield { json: await manifestOf(connection, masterKey) };
    for (const head of await tablesOf(connection)) {
      yield { json: head };
      const tally = createTally();
      for await (const rows of copyOut(connection, head)) {
        tally.add(rows);
        yield { rows };
      }
      yield { json: tally.result() };
    }
    yield { json: { sequences: await sequencesOf(connection) } };
    await connection.unsafe('commit');
  } finally {
    await connection.unsafe('rollback').catch(() => {});
    connection.release();
  }
}

/** The present contents of a database, by table. */
export async function talliesOf(connection: ReservedConnection): Promise<Map<string, Tally>> {
  const found = new Map<string, Tally>();
  for (const head of await tablesOf(connection)) {
    const tally = createTally();
    for await (const rows of copyOut(connection, head)) tally.add(rows);
    found.set(head.table, tally.result());
  }
  return found;
}

const BATCH_BYTES = 64 * 1024;

/** The server sends row by row; this yields batches. */
async function* copyOut(connection: ReservedConnection, head: TableHead): AsyncGenerator<Buffer, void> {
  const rows: AsyncIterable<Buffer> = await connection
    .unsafe(`copy (${selectionOf(head)}) to stdout`)
    .readable();
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += row.length;
    if (bytes < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(batch);
}

/** Rows of a partitioned table can only be copied out by a query. */
function selectionOf({ table, columns }: TableHead): string {
  return `select ${columns.map(quoted).join(', ')} from ${quoted(table)}`;
}

export function placeOf({ table, columns }: TableHead): string {
  return `${quoted(table)} (${columns.map(quoted).join(', ')})`;
}

async function manifestOf(connection: ReservedConnection, masterKey: string | null): Promise<Manifest> {
  const [state] = await connection<{ postgres: string; is_ours: boolean; has_keys: boolean }[]>`
    select current_setting('server_version') as postgres,
           to_regclass('schema_migrations') is not null as is_ours,
           to_regclass('master_keys') is not null as has_keys`;
  if (!state?.is_ours) throw new BackupError('There is nothing of PayAssent in this database yet.');
  const migrations = await connection<{ checksum: string }[]>`
    select checksum from schema_migrations order by number`;
  const keys = state.has_keys
    ? await connection<{ key_id: string }[]>`select key_id from master_keys order by first_used_at`
    : [];
  return {
    format: 1,
    version: VERSION,
    created_at: new Date().toISOString(),
    postgres: state.postgres,
    checksums: migrations.map(({ checksum }) => checksum),
    key_ids: keys.map(({ key_id }) => key_id),
    master_key: masterKey,
  };
}

export function tablesOf(connection: ReservedConnection): Promise<TableHead[]> {
  return connection<TableHead[]>`
    select c.relname::text as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname <> all(${LEFT_OUT}::text[])
    group by c.relname order by c.relname`;
}

async function sequencesOf(connection: ReservedConnection): Promise<Sequence[]> {
  const names = await connection<{ name: string }[]>`
    select relname::text as name from pg_class
    where relkind = 'S' and relnamespace = current_schema()::regnamespace order by relname`;
  const found: Sequence[] = [];
  for (const { name } of names) {
    const [row] = await connection.unsafe<Omit<Sequence, 'name'>[]>(
      `select last_value, is_called from ${quoted(name)}`,
    );
    if (row) found.push({ name, last_value: row.last_value, is_called: row.is_called });
  }
  return found;
}
