import type { SpawnOptions } from 'node:child_process';
import { chmod, lchown, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, copyBinaries, program } from './binaries.ts';
import { EmbeddedStartError, USE_OWN_SERVER } from './errors.ts';
import { type RunOptions, type RunResult, run } from './run.ts';

/** The user PostgreSQL runs as: it refuses to run as root. */
export interface Identity {
  /** For the log. */
  label: string;
  prefix: readonly string[];
  spawnOptions: Pick<SpawnOptions, 'uid' | 'gid'>;
  /** Who must own the database's files; undefined: whoever creates them. */
  owner: { uid: number; gid: number } | undefined;
}

const NOBODY = 65534;
const PROBE_TIMEOUT_MS = 10_000;

const SELF: Identity = { label: 'this user', prefix: [], spawnOptions: {}, owner: undefined };

/** Root outside, nobody inside: works in place, also below folders that only root may enter. */
const USER_NAMESPACE: Identity = {
  label: 'root in a user namespace',
  prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
  spawnOptions: {},
  owner: { uid: 0, gid: 0 },
};

/** Nobody who may still enter folders of root: for containers that forbid user namespaces. */
const NOBODY_ENTERING: Identity = {
  label: 'nobody with the right to enter folders',
  prefix: [
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--',
  ],
  spawnOptions: {},
  owner: { uid: NOBODY, gid: NOBODY },
};

function plainUser(uid: number, gid: number): Identity {
  return { label: `user ${uid}`, prefix: [], spawnOptions: { uid, gid }, owner: { uid, gid } };
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

/** Finds a way to run PostgreSQL on this data folder, or refuses with the mend. */
export async function chooseIdentity(binaries: Binaries, dataDir: string, cluster: string): Promise<Choice> {
  if (process.getuid?.() !== 0) return { identity: SELF, binaries };
  const owner = await stat(cluster).catch(() => undefined);
  // A folder that another user has used stays theirs.
  if (owner !== undefined && owner.uid !== 0 && owner.uid !== NOBODY) {
    const choice = await tryPlainUser(plainUser(owner.uid, owner.gid), binaries, dataDir, false);
    if (choice !== undefined) return choice;
  }
  if (await canRun(USER_NAMESPACE, binaries)) return { identity: USER_NAMESPACE, binaries };
  const choice = await tryPlainUser(plainUser(NOBODY, NOBODY), binaries, dataDir, true);
  if (choice !== undefined) return choice;
  if (await canRun(NOBODY_ENTERING, binaries)) return { identity: NOBODY_ENTERING, binaries };
  throw new EmbeddedStartError(
    'PostgreSQL refuses to run as root, and here it can neither be put into a user namespace ' +
      `nor run as nobody in ${dataDir}. Start the service as another user, ` +
      `or set SVC_DATA_DIR to a folder that every user may enter, ${USE_OWN_SERVER}.`,
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
    // Enter, but not list: the files inside keep their own modes.
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

/** Gives a folder and all in it to the identity's user. */
export async function giveTo(identity: Identity, folder: string): Promise<void> {
  const { owner } = identity;
  if (owner === undefined || (await stat(folder)).uid === owner.uid) return;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(path.join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  // Last, so that a change of owner that was cut short is repeated by the next start.
  await lchown(folder, owner.uid, owner.gid);
}
