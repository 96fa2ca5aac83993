import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const DEBIAN = '/usr/lib/postgresql';
const INSTALL = 'apt-get install --no-install-recommends postgresql';

/** Debian's programs, the newest version. Root may have them installed; everybody else is told how. */
export function findPrograms(): string {
  const found = newestPrograms();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    process.stdout.write(`installing PostgreSQL: ${INSTALL}\n`);
    spawnSync('sh', ['-c', `DEBIAN_FRONTEND=noninteractive ${INSTALL} -y`], { stdio: 'inherit' });
  }
  const installed = newestPrograms();
  if (installed === undefined) throw new Error(`PostgreSQL's own programs are needed: ${INSTALL}`);
  return installed;
}

function newestPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'pg_basebackup')));
}

/** PostgreSQL refuses root; Debian's package brings a user for it. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'postgres');
  if (!entry) throw new Error('There is no user postgres; install Debian’s package postgresql.');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

export interface ClusterPlace {
  programs: string;
  user: { uid: number; gid: number } | undefined;
  /** Holds data folder, socket and log. */
  folder: string;
  name: string;
  port: number;
}

export interface Cluster extends ClusterPlace {
  pid(): number;
  start(settings: Record<string, string>): Promise<void>;
  /** `kill -9` of the server and of everything it started, as when the machine is gone. */
  kill(): Promise<void>;
  promote(): void;
}

export function createCluster(place: ClusterPlace): Cluster {
  const data = dataOf(place);
  let child: ChildProcess | undefined;
  process.once('exit', () => child?.kill('SIGKILL'));
  const pid = () => {
    if (child?.pid === undefined) throw new Error(`${place.name} does not run`);
    return child.pid;
  };
  return {
    ...place,
    pid,
    async start(settings) {
      const log = openSync(join(place.folder, `${place.name}.log`), 'a');
      const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      child = spawn(join(place.programs, 'postgres'), ['-D', data, ...args], {
        ...place.user,
        cwd: place.folder,
        stdio: ['ignore', log, log],
      });
      await untilReady(place);
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      const others = childrenOf(pid());
      child.kill('SIGKILL');
      for (const each of others) endQuietly(each);
      await ended;
    },
    promote: () => void runProgram(place, 'pg_ctl', ['promote', '-w', '-D', data]),
  };
}

export function initialise(place: ClusterPlace): void {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  if (place.user) chownSync(place.folder, place.user.uid, place.user.gid);
  // Loopback, for a minute, in a folder that nobody else may enter.
  runProgram(place, 'initdb', [
    '-D',
    dataOf(place),
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ]);
}

/** A copy of a running server that follows it. */
export function copyAsStandby(place: ClusterPlace, primaryPort: number): void {
  const from = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=${place.name}`;
  runProgram(place, 'pg_basebackup', [
    '-D',
    dataOf(place),
    '-d',
    from,
    '-R',
    '-X',
    'stream',
    '--checkpoint=fast',
  ]);
}

function dataOf({ folder, name }: ClusterPlace): string {
  return join(folder, name);
}

function runProgram(place: ClusterPlace, name: string, args: readonly string[]): void {
  execFileSync(join(place.programs, name), [...args], { ...place.user, cwd: place.folder, stdio: 'pipe' });
}

async function untilReady(place: ClusterPlace): Promise<void> {
  const args = ['-h', '127.0.0.1', '-p', String(place.port), '-q'];
  for (let turn = 0; turn < 300; turn += 1) {
    if (spawnSync(join(place.programs, 'pg_isready'), args).status === 0) return;
    await pause(100);
  }
  throw new Error(`${place.name} did not start; see ${place.folder}/${place.name}.log`);
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The name may hold anything, so the fields are counted from its closing bracket.
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
        return Number(fields?.[1]) === parent;
      } catch {
        return false;
      }
    });
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
