// Backups: an encrypted file with everything in one snapshot, restored once when it is made. Only the command line
// imports it. A backup that is damaged, cut or of another installation leaves nothing behind.

import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Config, type Env, parseConfig } from '../../config/index.ts';
import { SQL_FOLDER } from '../../context.ts';
import { joinDatabaseSource } from '../../db/database-source.ts';
import { adoptDraft, makeDraft } from '../../db/embedded/cluster.ts';
import { driverOptions, hasCluster, startEmbeddedPostgres } from '../../db/embedded/index.ts';
import { lockDataFolder } from '../../db/embedded/lock.ts';
import { readIsDistributed } from '../../db/layout.ts';
import { lineageFileOf } from '../../db/lineage.ts';
import { migrationState } from '../../db/migrate.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../../db/open.ts';
import { BackupError } from '../../errors.ts';
import { emptyOutbox } from '../../features/transparency-log/integrate-job.ts';
import { keyFileOf, loadKeys } from '../../keys/key-file.ts';
import { KEY_USES } from '../../keys/key-uses.ts';
import { MasterKeyError, refuseWrongKeys } from '../../keys/master-keys.ts';
import { createKeys, type Keys } from '../../lib/keys.ts';
import { systemRandom } from '../../lib/random.ts';
import { learnLayout } from '../../storage/index.ts';
import { refuseOtherSessions } from '../distribution/readiness.ts';
import { dump, type Manifest } from './dump.ts';
import { opened, sealed } from './envelope.ts';
import { decoded, encoded, type Frame } from './frames.ts';
import { type Loaded, load } from './load.ts';

type Say = (text: string) => void;

interface BackupReport {
  file: string;
  bytes: number;
  created_at: string;
  schema: number;
  tables: number;
  rows: number;
  has_master_key: boolean;
}

const SHORTEST_PASSPHRASE = 12;

/**
 * Writes one snapshot of everything into an encrypted file, while the service runs, and restores it once to prove that
 * it can be. Where the database is distributed, the service must be stopped.
 */
export async function backupDatabase(
  env: Env,
  say: Say,
  options: { file: string; passphrase: string; includeMasterKey: boolean },
): Promise<BackupReport> {
  const { file, passphrase, includeMasterKey } = options;
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new BackupError(`The passphrase has to have ${SHORTEST_PASSPHRASE} characters or more.`);
  const config = parseConfig(env);
  if (config.database.kind === 'embedded' && !(await hasCluster(config.dataDir)))
    throw new BackupError(`There is no database in ${config.dataDir}.`);
  const masterKey = includeMasterKey ? await currentMasterKey(config) : null;
  const draft = `${file}.part`;
  try {
    await writeDump(config, say, { draft, passphrase, masterKey, file });
    say('restoring it into a scratch database, to see that it can be');
    const { manifest, tables, rows } = await tryRestore(draft, passphrase, say);
    if (manifest.master_key !== null) refuseForeign(keysOf(manifest.master_key), manifest);
    const { size } = await stat(draft);
    await rename(draft, file);
    return {
      file,
      bytes: size,
      created_at: manifest.created_at,
      schema: manifest.checksums.length,
      tables,
      rows,
      has_master_key: manifest.master_key !== null,
    };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDump(
  config: Config,
  say: Say,
  parts: { draft: string; file: string; passphrase: string; masterKey: string | null },
): Promise<void> {
  const isThere = await stat(parts.file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new BackupError(`${parts.file} is already there: name another file.`);
  const source = await joinDatabaseSource(config, say);
  const db = openDatabase(source.target, { pool: 1, patient: true, name: 'payassent backup' });
  try {
    await quiesce(db);
    const handle = await open(parts.draft, 'w', 0o600);
    const content = compressed(dump(db, parts.masterKey));
    await pipeline(
      Readable.from(sealed(content, parts.passphrase)),
      handle.createWriteStream({ flush: true }),
    );
  } finally {
    await db.end({ timeout: 1 });
    await source.stop();
  }
}

/**
 * The nodes of a distributed database have no common snapshot, so no process may be working there. Their log entries
 * are moved to where the backup finds them.
 */
async function quiesce(db: Database): Promise<void> {
  if (!(await readIsDistributed(db))) return;
  const connection = await db.reserve();
  await refuseOtherSessions(connection, 'start them again when the backup is made').finally(() =>
    connection.release(),
  );
  await learnLayout(db);
  await emptyOutbox(db);
}

function compressed(frames: AsyncIterable<Frame>): AsyncIterable<Buffer> {
  async function* bytes() {
    for await (const frame of frames) yield encoded(frame);
  }
  const gzip = createGzip({ level: 4 });
  pipeline(Readable.from(bytes()), gzip).catch((error: Error) => gzip.destroy(error));
  return gzip;
}

function framesIn(file: string, passphrase: string): AsyncGenerator<Frame, void> {
  const gunzip = createGunzip();
  pipeline(Readable.from(opened(createReadStream(file), passphrase)), gunzip).catch((error: Error) =>
    gunzip.destroy(error),
  );
  return decoded(gunzip);
}

async function tryRestore(file: string, passphrase: string, say: Say): Promise<Loaded> {
  const folder = await mkdtemp(join(tmpdir(), 'payassent-scratch-'));
  try {
    return await loadInto(folder, framesIn(file, passphrase), say);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A new embedded database in this folder, filled and stopped. */
export async function loadInto(
  folder: string,
  frames: AsyncGenerator<Frame, void>,
  say: Say,
  admit?: (manifest: Manifest) => Promise<void>,
  afterwards: (db: Database, manifest: Manifest) => Promise<void> = async () => {},
): Promise<Loaded> {
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => {}, onExit: say });
  const { user, ...place } = driverOptions(server);
  try {
    return await loadAt({ ...place, username: user }, frames, admit, afterwards);
  } finally {
    await server.stop();
  }
}

async function loadAt(
  target: ConnectionTarget,
  frames: AsyncGenerator<Frame, void>,
  admit: ((manifest: Manifest) => Promise<void>) | undefined,
  afterwards: (db: Database, manifest: Manifest) => Promise<void>,
): Promise<Loaded> {
  const db = openDatabase(target, { pool: 1, patient: true, name: 'payassent restore' });
  try {
    return await load(db, frames, admit, afterwards);
  } finally {
    await db.end({ timeout: 1 });
  }
}

/** Creates the database of a backup: the embedded one in an empty data folder, or in an empty database of a server. */
export async function restoreDatabase(
  env: Env,
  say: Say,
  options: { file: string; passphrase: string },
): Promise<Omit<BackupReport, 'bytes'>> {
  const config = parseConfig(env);
  const { file, passphrase } = options;
  // Otherwise the missing file would be reported as an unreachable database.
  await stat(file).catch(() => {
    throw new BackupError(`There is no file ${file} that can be read.`);
  });
  const frames = framesIn(file, passphrase);
  let keys: Keys | undefined;
  const admit = async (manifest: Manifest) => {
    keys = await keysFor(config, manifest);
  };
  const afterwards = async (db: Database) => {
    // For an older schema the next start checks this, after its migrations.
    const { missing } = await migrationState(db, SQL_FOLDER);
    if (keys && missing === undefined) await refuseWrongKeys(db, keys, KEY_USES, new Date());
  };
  const { database } = config;
  const loaded =
    database.kind === 'server'
      ? await loadAt({ url: (database.sessionUrl ?? database.url).reveal() }, frames, admit, afterwards)
      : await restoreEmbedded(config, (draft) => loadInto(draft, frames, say, admit, afterwards));
  const { manifest, tables, rows } = loaded;
  await keepMasterKey(config, manifest);
  // The restored database is there on purpose, whatever was before.
  await rm(lineageFileOf(config.dataDir), { force: true });
  const { created_at, checksums, master_key } = manifest;
  const has_master_key = master_key !== null;
  return { file, created_at, schema: checksums.length, tables, rows, has_master_key };
}

/**
 * Created next to its place and moved there as a whole. The folder is locked meanwhile, so that no service starts in
 * it.
 */
async function restoreEmbedded(
  { dataDir, baseUrl }: Config,
  fill: (draft: string) => Promise<Loaded>,
): Promise<Loaded> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDataFolder(dataDir, { address: baseUrl, waitMs: 5_000 });
  try {
    if (await hasCluster(dataDir))
      throw new BackupError(
        `${dataDir} has a database already: move it away, or set SVC_DATA_DIR to another folder.`,
      );
    const draft = await makeDraft(dataDir);
    try {
      const loaded = await fill(draft);
      await adoptDraft(dataDir, draft);
      return loaded;
    } finally {
      await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    }
  } finally {
    await lock.release();
  }
}

/** The keys that the restored service will have; rejects those of another installation. */
async function keysFor(config: Config, manifest: Manifest): Promise<Keys> {
  const { key_ids, master_key } = manifest;
  const keys = (await configuredKeys(config)) ?? (master_key === null ? undefined : keysOf(master_key));
  if (!keys)
    throw new BackupError(
      `The backup was made without the master key. Put the file master.key of the installation into ${config.dataDir}, ` +
        `or set SVC_MASTER_KEY, to ${key_ids.join(' or ')}.`,
    );
  refuseForeign(keys, manifest);
  return keys;
}

function refuseForeign({ keyIds }: Keys, { key_ids }: Manifest): void {
  if (key_ids.length > 0 && !key_ids.some((keyId) => keyIds.includes(keyId)))
    throw new BackupError(
      `The master key that is configured (${keyIds.join(', ')}) is that of another installation: this backup needs ` +
        `${key_ids.join(' or ')}.`,
    );
}

async function configuredKeys(config: Config): Promise<Keys | undefined> {
  const text = await masterKeyText(config);
  return text === undefined ? undefined : (await loadKeys(config, systemRandom)).keys;
}

async function masterKeyText(config: Config): Promise<string | undefined> {
  const file = keyFileOf(config);
  if (file === undefined) return config.masterKey?.reveal();
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text?.trim();
}

async function currentMasterKey(config: Config): Promise<string> {
  const text = await masterKeyText(config);
  if (text === undefined) throw new MasterKeyError(`There is no master key in ${config.dataDir}.`);
  return text;
}

function keysOf(text: string): Keys {
  return createKeys(Buffer.from(text, 'base64'), [], systemRandom);
}

async function keepMasterKey(config: Config, { master_key }: Manifest): Promise<void> {
  const file = keyFileOf(config);
  if (master_key === null || file === undefined || (await masterKeyText(config)) !== undefined) return;
  await writeFile(file, `${master_key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await chmod(file, 0o600);
}
