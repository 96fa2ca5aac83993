import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, program } from './binaries.ts';
import { EmbeddedStartError, USE_OWN_SERVER } from './errors.ts';
import { type Choice, giveTo, runAs } from './identity.ts';
import { stopInitLeftovers } from './orphans.ts';
import { run } from './run.ts';

// The product's previous name: data folders made before the rename hold this user and database.
export const CLUSTER_USER = 'countersign';
export const CLUSTER_DATABASE = 'countersign';

const DRAFT_PREFIX = 'postgres.init-';
const INIT_TIMEOUT_MS = 120_000;

export function clusterFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

/** Major version of the binaries; throws when the programs do not run on this system. */
export async function binariesMajor(binaries: Binaries): Promise<string> {
  const result = await run([program(binaries, 'postgres'), '--version'], { timeoutMs: 10_000 });
  const major = /PostgreSQL\) (\d+)/.exec(result.stdout)?.[1];
  if (result.code === 0 && major !== undefined) return major;
  const isForeignLibc = result.startError === 'ENOENT';
  const reason = isForeignLibc
    ? 'they are built for glibc, which this system (Alpine or another musl system?) does not have'
    : (result.startError ?? result.stderr.trim());
  throw new EmbeddedStartError(
    `The PostgreSQL programs of the npm package do not run on this system: ${reason}. ` +
      `Use a glibc-based system, ${USE_OWN_SERVER}.`,
  );
}

export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await readFile(path.join(clusterFolder(dataDir), 'PG_VERSION')).catch(orMissing)) !== undefined;
}

/** Major version of an existing cluster; undefined when there is none yet. */
export async function existingMajor(dataDir: string): Promise<string | undefined> {
  const folder = clusterFolder(dataDir);
  const version = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(orMissing);
  if (version !== undefined) return version.trim();
  const content = await readdir(folder).catch(orMissing);
  if (content === undefined) {
    await refuseInterruptedUpgrade(dataDir);
    return undefined;
  }
  if (content.length > 0) {
    throw new EmbeddedStartError(
      `${folder} exists but is no PostgreSQL database. Move it away or choose another SVC_DATA_DIR, ${USE_OWN_SERVER}.`,
    );
  }
  await rmdir(folder);
  return undefined;
}

export function refuseOtherMajor(dataDir: string, found: string, carried: string): void {
  if (found === carried) return;
  throw new EmbeddedStartError(
    `The database in ${clusterFolder(dataDir)} was made by PostgreSQL ${found}; this release carries ${carried}. ` +
      'Run "payassent upgrade-database", which keeps the previous one next to it. Otherwise start it with the release ' +
      `that made it, choose another SVC_DATA_DIR, ${USE_OWN_SERVER}.`,
  );
}

/** Stays next to the cluster until the host removes it: the source of an upgrade. */
export function formerClusterFolder(dataDir: string, major: string): string {
  return `${clusterFolder(dataDir)}.${major}`;
}

/** A folder for work that replaces the cluster, or is removed by the next start. */
export function makeDraft(dataDir: string): Promise<string> {
  return mkdtemp(path.join(dataDir, DRAFT_PREFIX));
}

/** Moves the finished cluster of a draft into place, and the previous one aside. */
export async function adoptDraft(dataDir: string, draft: string, former?: string): Promise<void> {
  const place = clusterFolder(dataDir);
  await rename(passwordFile(draft), passwordFile(dataDir));
  if (former !== undefined) await rename(place, formerClusterFolder(dataDir, former));
  await rename(clusterFolder(draft), place);
  await syncFolder(dataDir);
  await rm(draft, { recursive: true, force: true });
}

/** After an upgrade that crashed between two steps, a new, empty database would hide the existing one. */
async function refuseInterruptedUpgrade(dataDir: string): Promise<void> {
  const former = (await readdir(dataDir)).find((name) => /^postgres\.\d+$/.test(name));
  if (former === undefined) return;
  throw new EmbeddedStartError(
    `${dataDir} has ${former}, but no database: an upgrade was interrupted. Rename ${former} to postgres and run ` +
      '"payassent upgrade-database" again.',
  );
}

/**
 * Creates the cluster. It is built next to its final path and renamed as a whole, so a crash leaves nothing half-built.
 */
export async function createCluster(choice: Choice, dataDir: string, password: string): Promise<void> {
  const draft = await mkdtemp(path.join(dataDir, DRAFT_PREFIX));
  const folder = path.join(draft, 'cluster');
  const passwordFile = path.join(draft, 'password');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(choice.identity, draft);
  const command = [
    program(choice.binaries, 'initdb'),
    `--pgdata=${folder}`,
    `--username=${CLUSTER_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const result = await runAs(choice.identity, command, { timeoutMs: INIT_TIMEOUT_MS });
  if (result.code !== 0) throw initFailed(dataDir, result.startError ?? result.stderr);
  await runSingleUser(choice, folder, `create database ${CLUSTER_DATABASE};`, 'postgres');
  await rename(folder, clusterFolder(dataDir));
  await syncFolder(dataDir);
  await rm(draft, { recursive: true, force: true });
}

/** Removes what crashed calls of `createCluster` left. Call with the folder locked. */
export async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    const draft = path.join(dataDir, name);
    await stopInitLeftovers(draft);
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

export async function keptPassword(dataDir: string): Promise<string | undefined> {
  const kept = (await readFile(passwordFile(dataDir), 'utf8').catch(orMissing))?.trim();
  return kept !== undefined && /^[A-Za-z0-9_-]{32,}$/.test(kept) ? kept : undefined;
}

function passwordFile(dataDir: string): string {
  return path.join(dataDir, 'postgres.password');
}

/**
 * The password of the database; created at the first start and kept in a file that only the service's user can read.
 */
export async function readOrCreatePassword(dataDir: string): Promise<{ password: string; isNew: boolean }> {
  const file = passwordFile(dataDir);
  const kept = await keptPassword(dataDir);
  if (kept !== undefined) return { password: kept, isNew: false };
  const password = randomBytes(24).toString('base64url');
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  await handle.writeFile(`${password}\n`);
  await handle.sync();
  await handle.close();
  await rename(draft, file);
  await syncFolder(dataDir);
  return { password, isNew: true };
}

/** For a folder whose password file was lost. The alphabet of the password needs no quoting. */
export async function resetPassword(choice: Choice, dataDir: string, password: string): Promise<void> {
  const statement = `alter role ${CLUSTER_USER} password '${password}';`;
  await runSingleUser(choice, clusterFolder(dataDir), statement, 'postgres');
}

async function runSingleUser(
  choice: Choice,
  folder: string,
  statement: string,
  database: string,
): Promise<void> {
  const command = [
    program(choice.binaries, 'postgres'),
    '--single',
    '-D',
    folder,
    '-c',
    'log_min_error_statement=panic',
    database,
  ];
  const result = await runAs(choice.identity, command, {
    input: `${statement}\n`,
    timeoutMs: INIT_TIMEOUT_MS,
  });
  // Single-user mode ends with code 0 even when the statement failed.
  if (result.code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(result.stderr)) {
    throw initFailed(folder, result.startError ?? result.stderr);
  }
}

function initFailed(folder: string, reason: string): EmbeddedStartError {
  return new EmbeddedStartError(
    `The embedded PostgreSQL could not set up its database in ${folder}: ${reason.trim().slice(-600)}. ` +
      `See that the disk has room and the folder is writable, choose another SVC_DATA_DIR, ${USE_OWN_SERVER}.`,
  );
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
