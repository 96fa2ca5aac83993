import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SQL_FOLDER } from '../../context.ts';
import { faultOf } from '../../db/faults.ts';
import { migrate, migrationChecksums } from '../../db/migrate.ts';
import type { Database } from '../../db/open.ts';
import { quoted } from '../../db/roles/names.ts';
import { BackupError } from '../../errors.ts';
import {
  type Manifest,
  placeOf,
  type ReservedConnection,
  type Sequence,
  type TableHead,
  tablesOf,
  talliesOf,
} from './dump.ts';
import type { Frame } from './frames.ts';
import { leavingNothing } from './remains.ts';
import { createTally, type Tally } from './tally.ts';

export interface Loaded {
  manifest: Manifest;
  tables: number;
  rows: number;
}

/**
 * Fills an empty database: its schema as it was then, every row, and then a check that all of them are there. One that
 * is not empty stays as it is; an empty one is empty again after a failure.
 */
export async function load(
  db: Database,
  frames: AsyncGenerator<Frame, void>,
  admit: (manifest: Manifest) => Promise<void> = async () => {},
  afterwards: (db: Database, manifest: Manifest) => Promise<void> = async () => {},
): Promise<Loaded> {
  const manifest = await manifestIn(frames);
  await admit(manifest);
  const [former] = await db`select to_regclass('schema_migrations') is not null as is_there`;
  if (former?.['is_there'])
    throw new BackupError('The database is not empty: restore into a new one, and keep this one as it is.');
  return leavingNothing(db, async () => {
    const loaded = await fillWith(db, frames, manifest);
    await afterwards(db, manifest);
    return loaded;
  });
}

async function fillWith(
  db: Database,
  frames: AsyncGenerator<Frame, void>,
  manifest: Manifest,
): Promise<Loaded> {
  await migrate(db, SQL_FOLDER, manifest.checksums.length);
  const connection = await db.reserve();
  try {
    const tallies = await fill(connection, frames);
    const found = await talliesOf(connection);
    for (const [table, { rows, digest }] of tallies)
      if (found.get(table)?.rows !== rows || found.get(table)?.digest !== digest)
        throw new BackupError(`The restored rows of ${table} are not those of the backup.`);
    // Without statistics the first calls would be planned as if every table were empty.
    await connection.unsafe(`analyze ${[...tallies.keys()].map(quoted).join(', ')}`);
    const rows = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0);
    return { manifest, tables: tallies.size, rows };
  } finally {
    connection.release();
  }
}

async function manifestIn(frames: AsyncGenerator<Frame, void>): Promise<Manifest> {
  const manifest = (await jsonIn(frames)) as Manifest;
  if (manifest?.format !== 1) throw new BackupError('The backup was made by a newer version of PayAssent.');
  const known = await migrationChecksums(SQL_FOLDER);
  const { checksums } = manifest;
  if (checksums.length > known.length)
    throw new BackupError(
      `The backup has schema ${checksums.length}, this version of PayAssent (which knows up to ${known.length}) is older. ` +
        `Restore it with version ${manifest.version} or newer.`,
    );
  if (checksums.some((checksum, index) => checksum !== known[index]))
    throw new BackupError('The backup is of a version of PayAssent that was never released.');
  return manifest;
}

/** In one transaction: an incomplete database is empty. */
async function fill(
  connection: ReservedConnection,
  frames: AsyncGenerator<Frame, void>,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  await connection.unsafe('begin');
  try {
    // Rows are restored unchanged: triggers must neither add nor reject anything, and references may precede their row.
    await connection.unsafe('set local session_replication_role = replica').catch(refuseOrdinaryRole);
    const tables = (await tablesOf(connection)).map(({ table }) => quoted(table));
    await connection.unsafe(`truncate ${tables.join(', ')}`);
    for (;;) {
      const head = (await jsonIn(frames)) as TableHead | { sequences: Sequence[] };
      if ('sequences' in head) {
        for (const { name, last_value, is_called } of head.sequences)
          await connection`select setval(${quoted(name)}, ${last_value}, ${is_called})`;
        break;
      }
      tallies.set(head.table, await fillTable(connection, frames, head));
    }
    if (!(await frames.next()).done) throw new BackupError('The backup continues after its end.');
    await connection.unsafe('commit');
    return tallies;
  } catch (error) {
    await connection.unsafe('rollback').catch(() => {});
    throw error;
  }
}

async function fillTable(
  connection: ReservedConnection,
  frames: AsyncGenerator<Frame, void>,
  head: TableHead,
): Promise<Tally> {
  const tally = createTally();
  let expected: Tally | undefined;
  async function* rows(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const { value, done } = await frames.next();
      if (done) throw new BackupError(`The backup ends within ${head.table}.`);
      if ('json' in value) {
        expected = value.json as Tally;
        return;
      }
      tally.add(value.rows);
      yield value.rows;
    }
  }
  const copy: Writable = await connection.unsafe(`copy ${placeOf(head)} from stdin`).writable();
  await pipeline(Readable.from(rows()), copy);
  if (JSON.stringify(tally.result()) !== JSON.stringify(expected))
    throw new BackupError(
      `The rows of ${head.table} are not those that were counted when the backup was made.`,
    );
  return tally.result();
}

async function jsonIn(frames: AsyncGenerator<Frame, void>): Promise<unknown> {
  const { value, done } = await frames.next();
  if (done || !('json' in value)) throw new BackupError('The backup is not in the order of one.');
  return value.json;
}

function refuseOrdinaryRole(error: unknown): never {
  if (faultOf(error) !== undefined) throw error;
  throw new BackupError(
    'The role of DATABASE_URL may not load rows as they were: restore as a superuser, or have one run ' +
      '"grant set on parameter session_replication_role to <role>".',
  );
}
