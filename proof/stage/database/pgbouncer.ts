import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTcpProxy } from '../faults/tcp-proxy.ts';
import { freePort } from '../free-port.ts';

const PROGRAM = ['/usr/sbin/pgbouncer', 'pgbouncer'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Runs a program until its standard input ends, which is also what happens when the process at the other end is killed. */
export const UNTIL_LET_GO = '"$@" & program=$!; read -r _; kill -9 $program; wait $program';

/** Tests that need it are left out, and listed as such, where it is not installed. */
export const HAS_PGBOUNCER = PROGRAM !== undefined;

export interface PgBouncer {
  /** The database through the pooler, as `DATABASE_URL`. */
  url: string;
  close(): Promise<void>;
}

export async function startPgBouncer(
  databaseUrl: string,
  settings: {
    pool_mode: 'session' | 'transaction' | 'statement';
    default_pool_size?: number;
    server_round_robin?: 1;
    auth_type?: 'scram-sha-256';
    auth_user?: string;
    auth_query?: string;
  },
  /** The users that it authenticates itself; the user of the address unless given. */
  users?: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bouncer-'));
  await chmod(folder, 0o755);
  // It does not run as root, and then may not reach the folder of the socket.
  const proxy = await createTcpProxy(databaseUrl);
  const { username, password, port: serverPort } = new URL(proxy.url);
  const port = await freePort();
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users'),
    ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    max_client_conn: 200,
    default_pool_size: 30,
    ...settings,
  };
  const known = users ?? { [decodeURIComponent(username)]: decodeURIComponent(password) };
  const knownLines = Object.entries(known).map(([name, secret]) => `"${name}" "${secret}"\n`);
  await writeFile(join(folder, 'users'), knownLines.join(''));
  await writeFile(
    join(folder, 'bouncer.ini'),
    `[databases]\n* = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\n` +
      Object.entries(lines)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
  );
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const command = [PROGRAM ?? '', ...user, join(folder, 'bouncer.ini')];
  const child = spawn('sh', ['-c', UNTIL_LET_GO, 'sh', ...command], { stdio: ['pipe', 'ignore', 'ignore'] });
  const giveUpMs = performance.now() + 60_000;
  while (!(await isListening(port))) {
    if (performance.now() > giveUpMs) throw new Error('pgbouncer accepts no connections');
    await pause(50);
  }
  const url = new URL(proxy.url);
  url.port = String(port);
  return {
    url: url.href,
    async close() {
      await ended(child);
      await proxy.close();
      await rm(folder, { recursive: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}
