import type { SpawnOptions } from 'node:child_process';
import { access, chmod, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { type Binaries, copyBinaries, program } from './binaries.ts';
import { EmbeddedStartError, USE_OWN_SERVER } from './errors.ts';
import { type RunOptions, type RunResult, run } from './run.ts';

/** The user PostgreSQL runs as. It refuses root, and `initdb` refuses a user without a name. */
export interface Identity {
  prefix: readonly string[];
  spawnOptions: Pick<SpawnOptions, 'uid' | 'gid'>;
  /** Who must own the database's files; undefined: the service's own user, who creates them. */
  owner: Owner | undefined;
}

interface Owner {
  uid: number;
  gid: number;
}

const NOBODY = 65534;
const OWN_NAME = 'payassent';
const PROBE_TIMEOUT_MS = 10_000;

const SELF: Identity = { prefix: [], spawnOptions: {}, owner: undefined };

function plainUser(owner: Owner): Identity {
  return { prefix: [], spawnOptions: owner, owner };
}

/** Another user who may still enter root's folders, and write only in its own. */
function enteringUser({ uid, gid }: Owner): Identity {
  const prefix = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_read_search',
    '--ambient-caps=-all,+dac_read_search',
    // Without it access(2), by which PostgreSQL checks its own programs, ignores the right given above.
    '--securebits=+no_setuid_fixup',
    '--',
  ];
  return { prefix, spawnOptions: {}, owner: { uid, gid } };
}

/**
 * The current user outside the namespace, another one inside: works in place, but acts as the current user outside. The
 * last resort for root.
 */
function inUserNamespace(uid: number, owner: Owner | undefined): Identity {
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${uid}`, '--'];
  return { prefix, spawnOptions: {}, owner };
}

export function runAs(
  identity: Identity,
  command: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  return run([...identity.prefix, ...command], { ...options, spawnOptions: identity.spawnOptions });
}

export interface Choice {
  identity: Identity;
  binaries: Binaries;
}

/** Finds a way to run PostgreSQL on this data folder, or throws an error with the fix. */
export async function chooseIdentity(binaries: Binaries, dataDir: string, cluster: string): Promise<Choice> {
  if (process.getuid?.() !== 0) return chooseForUser(binaries, cluster);
  const former = await formerUser(dataDir, cluster);
  const formerChoice = former && (await tryPlainUser(former, binaries, dataDir, false));
  if (formerChoice !== undefined) return formerChoice;
  const user = await namedUser();
  const choice = await tryPlainUser(plainUser(user), binaries, dataDir, true);
  if (choice !== undefined) return choice;
  for (const identity of [enteringUser(user), inUserNamespace(user.uid, { uid: 0, gid: 0 })]) {
    if (await canRun(identity, binaries)) return { identity, binaries };
  }
  throw new EmbeddedStartError(
    'PostgreSQL refuses to run as root, and here it can neither run as another user ' +
      `in ${dataDir} nor be put into a user namespace. Start the service as another user, ` +
      `or set SVC_DATA_DIR to a folder that every user may enter, ${USE_OWN_SERVER}.`,
  );
}

async function chooseForUser(binaries: Binaries, cluster: string): Promise<Choice> {
  // Only the creation of a new cluster needs the name.
  if (hasName() || (await exists(cluster))) return { identity: SELF, binaries };
  const contained = inUserNamespace((await namedUser()).uid, undefined);
  if (await canRun(contained, binaries)) return { identity: contained, binaries };
  throw new EmbeddedStartError(
    `The user id ${process.getuid?.()} has no name on this system, without which PostgreSQL makes no database. ` +
      `Add it to /etc/passwd, start the service as a user that is there, ${USE_OWN_SERVER}.`,
  );
}

/** A folder used by another user before root keeps its owner. */
async function formerUser(dataDir: string, cluster: string): Promise<Identity | undefined> {
  if (!(await exists(cluster))) return undefined;
  const [folder, files] = await Promise.all([stat(dataDir), stat(cluster)]);
  return folder.uid !== 0 && folder.uid === files.uid
    ? plainUser({ uid: files.uid, gid: files.gid })
    : undefined;
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** The user `payassent` where the system has one; else uid 65534; else any user but root. */
async function namedUser(): Promise<Owner> {
  const list = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const users = list.split('\n').map((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const known = users.filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid > 0);
  const { uid, gid } = known.find(({ name }) => name === OWN_NAME) ??
    known.find((user) => user.uid === NOBODY) ??
    known[0] ?? { uid: NOBODY, gid: NOBODY };
  return { uid, gid };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function tryPlainUser(
  identity: Identity,
  binaries: Binaries,
  dataDir: string,
  mayOpenFolder: boolean,
): Promise<Choice | undefined> {
  if (!(await canEnter(identity, dataDir))) {
    if (!mayOpenFolder || !(await canEnter(identity, path.dirname(dataDir)))) return undefined;
    // Enter, but not list: the files inside keep their modes.
    await chmod(dataDir, 0o711);
    if (!(await canEnter(identity, dataDir))) return undefined;
  }
  if (await canRun(identity, binaries)) return { identity, binaries };
  const copy = await copyBinaries(binaries, dataDir);
  return (await canRun(identity, copy)) ? { identity, binaries: copy } : undefined;
}

async function canRun(identity: Identity, binaries: Binaries): Promise<boolean> {
  const result = await runAs(identity, [program(binaries, 'postgres'), '--version'], {
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return result.code === 0;
}

async function canEnter(identity: Identity, folder: string): Promise<boolean> {
  const command = ['/bin/sh', '-c', 'cd -- "$1"', 'sh', folder];
  return (await runAs(identity, command, { timeoutMs: PROBE_TIMEOUT_MS })).code === 0;
}

/** Gives a folder and all its contents to the identity's user. */
export async function giveTo(identity: Identity, folder: string): Promise<void> {
  const { owner } = identity;
  if (owner === undefined || (await stat(folder)).uid === owner.uid) return;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(path.join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  // Last, so that an interrupted change of owner is repeated by the next start.
  await lchown(folder, owner.uid, owner.gid);
}
