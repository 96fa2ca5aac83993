/*
 * Ways to have a PostgreSQL: the embedded one, Debian's with a standby, PgBouncer, Citus, and databases of tests with what
 * earlier releases stored. Every test and tool may import it. Whatever is started ends with the process that started it.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { driverOptions, startEmbeddedPostgres } from '../../../server/src/db/embedded/index.ts';
import { type Database, openDatabase } from '../../../server/src/db/open.ts';
import { childrenOf, signalQuietly } from '../faults/processes.ts';
import type { Target } from '../faults/tcp-proxy.ts';
import { freePort } from '../free-port.ts';

/** The PostgreSQL that a service works with. */
export interface Server {
  /** Of the postmaster; changes after a crash and restart. 0 where fault injection must not touch it. */
  readonly pid: number;
  user: string;
  password: string;
  database: string;
  /** The address that it binds; may change. */
  target(): Target;
  stop(): Promise<void>;
}

/** The embedded PostgreSQL as the service starts it, durability on; it restarts automatically when it is killed. */
export async function startEmbedded(
  dataDir: string,
  log: (message: string) => void = () => {},
): Promise<Server> {
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  const { host, port, user, password, database } = driverOptions(embedded);
  const behind = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { port };
  return {
    get pid() {
      return embedded.pid;
    },
    user,
    password,
    database,
    target: () => behind,
    stop: () => embedded.stop(),
  };
}

/** One that another party starts, kills and stops. */
export function serverAt(port: () => number, database: string): Server {
  const target = () => ({ port: port() });
  return { pid: 0, user: 'postgres', password: 'trusted', database, target, stop: async () => {} };
}

export function placeOf({ user: username, password, database, target }: Omit<Server, 'pid' | 'stop'>) {
  const at = target();
  const where =
    'port' in at
      ? { host: at.host ?? '127.0.0.1', port: at.port }
      : { host: dirname(at.path), port: Number(at.path.split('.').at(-1)) };
  return { ...where, username, password, database };
}

/** As `DATABASE_URL`. */
export function urlOf({ host, port, username, password, database }: ReturnType<typeof placeOf>): string {
  const url = new URL('postgres://localhost');
  url.username = username;
  url.password = password;
  url.port = String(port);
  url.pathname = database;
  if (host.startsWith('/')) url.searchParams.set('host', host);
  else url.hostname = host;
  return url.href;
}

export function openServer(server: Server, pool: number): Database {
  return openDatabase(placeOf(server), { pool, name: 'proof', patient: true });
}

/** Opens the server for a moment. */
export async function onServer<T>(server: Server, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openServer(server, 1);
  try {
    return await work(db);
  } finally {
    await db.end({ timeout: 5 });
  }
}

/** Retries a read of a database until the database has recovered from a crash. */
export async function patiently<T>(look: () => Promise<T>, withinMs = 60_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(200);
    }
  }
}

const DEBIAN = '/usr/lib/postgresql';
const INSTALL = 'apt-get install --no-install-recommends postgresql';

/** Debian's programs, the newest version. Root gets them installed; any other user gets an error with the command. */
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

/** Tests that need them are left out, and listed as such, where they are not installed. */
export const HAS_SERVER_PROGRAMS = newestPrograms() !== undefined;

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

/** A PostgreSQL of Debian's in the hands of a drill, which trusts everybody on loopback. */
export interface Cluster extends Server {
  /** Holds data folder, socket and log. */
  folder: string;
  port: number;
  /** With the previous settings unless given. */
  start(settings?: Record<string, string>): Promise<void>;
  /** `kill -9` of the server and of everything it started, as when the machine is gone. */
  kill(): Promise<void>;
  promote(): void;
}

/** A new one, which runs. */
export async function startPrimary(folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const user = serverUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const ways = ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  runProgram(folder, 'initdb', ['-D', join(folder, 'primary'), ...ways]);
  const primary = await createCluster(folder, 'primary');
  await primary.start(settings);
  return primary;
}

/** A copy of a running server that follows it. */
export async function startStandby(primary: Cluster, mode: 'sync' | 'async'): Promise<Cluster> {
  const { folder, port } = primary;
  const from = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
  const ways = ['-R', '-X', 'stream', '--checkpoint=fast'];
  runProgram(folder, 'pg_basebackup', ['-D', join(folder, 'standby'), '-d', from, ...ways]);
  const standby = await createCluster(folder, 'standby');
  await standby.start();
  await onServer(primary, async (db) => {
    // After the copy: the one that takes over must not wait for a standby that it does not have.
    if (mode === 'sync') await db.unsafe(`alter system set synchronous_standby_names = 'FIRST 1 (standby)'`);
    await db`select pg_reload_conf()`;
    await patiently(async () => {
      const [row] = await db<{ sync_state: string }[]>`select sync_state from pg_stat_replication`;
      if (row?.sync_state !== mode) throw new Error(`the standby is ${row?.sync_state ?? 'not there'}`);
    });
  });
  return standby;
}

async function createCluster(folder: string, name: string): Promise<Cluster> {
  const [programs, port] = [findPrograms(), await freePort()];
  const data = join(folder, name);
  let child: ChildProcess | undefined;
  let settings: Record<string, string> = {};
  process.once('exit', () => child?.kill('SIGKILL'));
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    const others = childrenOf(child.pid ?? 0);
    child.kill('SIGKILL');
    for (const each of others) signalQuietly(each, 'SIGKILL');
    await ended;
  };
  return {
    user: 'postgres',
    password: 'trusted',
    database: 'postgres',
    target: () => ({ port }),
    folder,
    port,
    get pid() {
      if (child?.pid === undefined) throw new Error(`${name} does not run`);
      return child.pid;
    },
    async start(changed = settings) {
      settings = changed;
      const log = openSync(join(folder, `${name}.log`), 'a');
      const all = {
        listen_addresses: '127.0.0.1',
        port: String(port),
        unix_socket_directories: folder,
        ...settings,
      };
      const args = Object.entries(all).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
      child = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
        ...serverUser(),
        cwd: folder,
        stdio: ['ignore', log, log],
      });
      const ready = ['-h', '127.0.0.1', '-p', String(port), '-q'];
      for (let turn = 0; turn < 300; turn += 1) {
        if (spawnSync(join(programs, 'pg_isready'), ready).status === 0) return;
        await pause(100);
      }
      throw new Error(`${name} did not start; see ${data}.log`);
    },
    kill,
    stop: kill,
    promote: () => runProgram(folder, 'pg_ctl', ['promote', '-w', '-D', data]),
  };
}

function runProgram(folder: string, name: string, args: readonly string[]): void {
  execFileSync(join(findPrograms(), name), [...args], { ...serverUser(), cwd: folder, stdio: 'pipe' });
}
