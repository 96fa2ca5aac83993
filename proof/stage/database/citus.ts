import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from '../../../server/vendor/postgres/src/index.js';
import { freePort } from '../free-port.ts';

/** Debian's. Citus has no package there: it is built and installed for this server. */
const SERVER = '/usr/lib/postgresql/15';
interface Node {
  port: number;
  url: string;
  /** Of its postmaster. */
  pid(): number;
  start(): void;
  /** Immediately, like a crash. */
  kill(): void;
}

export interface CitusCluster {
  coordinator: Node;
  workers: Node[];
  stop(): void;
}

export function missingParts(): string | undefined {
  if (!existsSync(`${SERVER}/bin/initdb`)) return 'Install first: apt-get install postgresql-15';
  if (!existsSync(`${SERVER}/lib/citus.so`))
    return 'Build and install the extension citus (13.2 or newer) for PostgreSQL 15 first.';
  return undefined;
}

interface CitusOptions {
  /** The database that is made on each of them. */
  database: string;
  /** Two unless given. */
  workers?: number;
  /** Instead of citus alone: their shared_preload_libraries. */
  preload?: string | undefined;
  /** Further lines of their configuration. */
  settings?: readonly string[];
}

/** A coordinator and its workers on loopback, which trust everybody there. */
export async function startCitus(options: CitusOptions): Promise<CitusCluster> {
  const root = mkdtempSync(join(tmpdir(), 'payassent-citus-'));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (user) chownSync(root, user.uid, user.gid);
  const nodes: Node[] = [];
  const stop = () => {
    for (const node of nodes.splice(0)) quietly(() => node.kill());
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  };
  // Servers are no children of this process: a signal that ends it would leave them behind.
  process.once('exit', stop);
  try {
    for (let number = 0; number <= (options.workers ?? 2); number += 1)
      await addNode(nodes, join(root, `machine-${number}`), options, user);
    const [coordinator, ...workers] = nodes;
    if (!coordinator) throw new Error('There is no coordinator.');
    await onNode(coordinator.url, async (sql) => {
      await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`;
      for (const { port } of workers) await sql`select citus_add_node('127.0.0.1', ${port})`;
    });
    return { coordinator, workers, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

async function addNode(
  nodes: Node[],
  folder: string,
  { database, preload = 'citus', settings: further = [] }: CitusOptions,
  user: { uid: number; gid: number } | undefined,
): Promise<void> {
  const port = await freePort();
  const run = (program: string, args: readonly string[]) =>
    execFileSync(`${SERVER}/bin/${program}`, args, {
      ...user,
      stdio: 'ignore',
      cwd: '/',
      // Machines search for certificates in this folder when they connect to each other.
      env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    });
  run('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']);
  const settings = [
    `port=${port}`,
    "listen_addresses='127.0.0.1'",
    "unix_socket_directories=''",
    `shared_preload_libraries='${preload}'`,
    'max_prepared_transactions=200',
    'wal_level=logical',
    "citus.local_hostname='127.0.0.1'",
    ...further,
  ];
  appendFileSync(join(folder, 'postgresql.conf'), `${settings.join('\n')}\n`);
  const node = {
    port,
    url: urlOf(port, database),
    pid: () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    start() {
      try {
        run('pg_ctl', ['-D', folder, '-l', `${folder}.log`, '-w', 'start']);
      } catch (error) {
        throw new Error(`PostgreSQL does not start: ${readFileSync(`${folder}.log`, 'utf8')}`, {
          cause: error,
        });
      }
    },
    kill: () => void run('pg_ctl', ['-D', folder, '-m', 'immediate', 'stop']),
  };
  nodes.push(node);
  node.start();
  await onNode(urlOf(port, 'postgres'), (sql) => sql.unsafe(`create database ${database}`));
  await onNode(node.url, (sql) => sql.unsafe('create extension citus'));
}

const urlOf = (port: number, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;

async function onNode(url: string, work: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is down already.
  }
}
