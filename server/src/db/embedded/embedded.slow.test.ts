// Slow: makes PostgreSQL clusters and kills them.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import postgres from '../../../vendor/postgres/src/index.js';
import { readProcess } from '../../lib/process-info.ts';
import { CLUSTER_DATABASE, CLUSTER_USER } from './cluster.ts';
import { driverOptions, type EmbeddedDatabase, EmbeddedStartError, startEmbeddedPostgres } from './index.ts';

const compiled = fileURLToPath(new URL('../../../dist/db/embedded/index.js', import.meta.url));
const address = 'http://127.0.0.1:8787';
let parent: string;
let dataDir: string;
const messages: string[] = [];

beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'payassent-embedded-'));
  await chmod(parent, 0o700);
  // Spaces and more bytes than a socket address can hold.
  dataDir = path.join(parent, 'a folder with spaces', 'long-'.repeat(40), 'data');
});
afterAll(() => rm(parent, { recursive: true, force: true }));

function start(folder = dataDir): Promise<EmbeddedDatabase> {
  return startEmbeddedPostgres({
    dataDir: folder,
    log: (message) => messages.push(message),
    describeHolder: { address },
    waitForLockMs: 300,
  });
}

async function query<T>(database: EmbeddedDatabase, ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...driverOptions(database), max: 1, onnotice: () => undefined, connect_timeout: 5 });
  try {
    return await ask(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function countNotes(database: EmbeddedDatabase): Promise<number> {
  const [row] = await query(database, (sql) => sql<{ n: number }[]>`select count(*)::int as n from note`);
  return row?.n ?? -1;
}

async function addNote(database: EmbeddedDatabase): Promise<void> {
  await query(database, (sql) => sql`insert into note (text) values ('kept')`);
}

/** A service in a separate process on the folder, which a test can kill. Writes its server's pid once it runs. */
function spawnOwner(folder: string): ChildProcessByStdio<null, Readable, null> {
  const script = `
    const { startEmbeddedPostgres } = await import(process.argv[1]);
    const database = await startEmbeddedPostgres({
      dataDir: process.argv[2], log: () => {}, describeHolder: { address: '${address}' },
    });
    process.stdout.write(String(database.pid));
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script, compiled, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function startOwner(folder: string): Promise<{ child: ChildProcess; serverPid: number }> {
  const child = spawnOwner(folder);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, serverPid: Number(chunk.toString()) };
}

async function eventually(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within 10 s: ${what}`);
    await sleep(50);
  }
}

describe('the embedded PostgreSQL', () => {
  it('makes a durable UTF-8 database in a missing folder, below a closed folder, on a long path with spaces', async () => {
    const database = await start();
    const [row] = await query(
      database,
      (sql) => sql<Record<string, string>[]>`
        select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
               current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding,
               current_setting('TimeZone') as zone, current_setting('listen_addresses') as addresses,
               datcollate as collate
        from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({
      fsync: 'on',
      pages: 'on',
      commit: 'on',
      encoding: 'UTF8',
      zone: 'UTC',
      addresses: '',
      collate: 'C',
    });
    await query(database, (sql) => sql`create table note (text text)`);
    await addNote(database);
    await database.stop();
  });

  it('keeps its data over a restart and leaves no process, socket folder or lock behind', async () => {
    const database = await start();
    expect(await countNotes(database)).toBe(1);
    await Promise.all([database.stop(), database.stop()]);
    expect(readProcess(database.pid)).toBeUndefined();
    await expect(stat(database.socketDir)).rejects.toThrow('ENOENT');
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
  });

  it('keeps password and socket from other users', async () => {
    const database = await start();
    expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(database.socketDir)).mode & 0o777).toBe(0o700);
    const wrong = { ...database, password: 'wrong' };
    await expect(query(wrong, (sql) => sql`select 1`)).rejects.toThrow('password authentication failed');
    await database.stop();
  });

  it('starts again automatically when its server is killed', async () => {
    const database = await start();
    const killed = database.pid;
    process.kill(killed, 'SIGKILL');
    await eventually('a new server', () => database.pid !== killed);
    expect(await countNotes(database)).toBe(1);
    await database.stop();
  });

  it('comes back under the same address when a cleaner takes its socket folder', async () => {
    const database = await start();
    const first = database.pid;
    await rm(database.socketDir, { recursive: true });
    await eventually('a new server', () => database.pid !== first);
    expect(await countNotes(database)).toBe(1);
    await database.stop();
  });

  it('ends when the service is killed, and the next start finds what had been committed', async () => {
    const owner = await startOwner(dataDir);
    await expect(start()).rejects.toThrow(`${address} (pid ${owner.child.pid})`);
    owner.child.kill('SIGKILL');
    await eventually('the end of the server', () => readProcess(owner.serverPid) === undefined);
    const database = await start();
    expect(await countNotes(database)).toBe(1);
    await database.stop();
  });

  it('recovers when service and server are killed together', async () => {
    const owner = await startOwner(dataDir);
    process.kill(owner.serverPid, 'SIGKILL');
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    const database = await start();
    expect(await countNotes(database)).toBe(1);
    await database.stop();
  });

  it('ends a busy connection that outlived service and server before it starts again', async () => {
    const owner = await startOwner(dataDir);
    const socketDir = await readFile(path.join(dataDir, 'postgres.socket-dir'), 'utf8');
    const password = (await readFile(path.join(dataDir, 'postgres.password'), 'utf8')).trim();
    const sql = postgres({
      host: socketDir,
      user: CLUSTER_USER,
      database: CLUSTER_DATABASE,
      password,
      max: 1,
    });
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const endless = sql`select count(*) from generate_series(1, 100000000000)`.catch(() => 'cut');
    await sleep(300);
    process.kill(owner.serverPid, 'SIGKILL');
    owner.child.kill('SIGKILL');
    const database = await start();
    expect(readProcess(backend?.pid ?? 0)).toBeUndefined();
    expect(await endless).toBe('cut');
    expect(await countNotes(database)).toBe(1);
    await sql.end({ timeout: 0 });
    await database.stop();
  });

  it('takes the place of a server that outlived its service', async () => {
    const owner = await startOwner(dataDir);
    // A stopped server cannot follow the shutdown signal it receives when its service exits.
    process.kill(owner.serverPid, 'SIGSTOP');
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    expect(readProcess(owner.serverPid)).toBeDefined();
    setTimeout(() => process.kill(owner.serverPid, 'SIGCONT'), 500);
    const database = await start();
    expect(readProcess(owner.serverPid)).toBeUndefined();
    expect(await countNotes(database)).toBe(1);
    await database.stop();
  });

  it('makes a new password when the file is lost', async () => {
    await rm(path.join(dataDir, 'postgres.password'));
    const database = await start();
    expect(await countNotes(database)).toBe(1);
    await database.stop();
  });

  it('refuses a folder of another major version and names the fix', async () => {
    const file = path.join(dataDir, 'postgres', 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '12\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 12;.*DATABASE_URL/);
    await writeFile(file, version);
  });
});

/** Real, effective, saved and file system uid of a process. */
async function uidsOf(pid: number): Promise<number[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (/^Uid:\s+(.*)$/m.exec(status)?.[1] ?? '').split('\t').map(Number);
}

// Only root can choose: for other users PostgreSQL runs as the service's user.
describe.runIf(process.getuid?.() === 0)('started by root (needs root)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'payassent-root-')), 'data');
    await chmod(path.dirname(folder), 0o755);
  });
  afterAll(() => rm(path.dirname(folder), { recursive: true, force: true }));

  const ownersIn = async (cluster: string) => {
    const names = ['', ...(await readdir(cluster, { recursive: true }))];
    const found = await Promise.all(names.map((name) => lstat(path.join(cluster, name))));
    return [...new Set(found.map(({ uid }) => uid))];
  };

  it('PostgreSQL has another uid, in open and in closed folders', async () => {
    for (const place of [folder, dataDir]) {
      const database = await start(place);
      expect(await uidsOf(database.pid)).not.toContain(0);
      const [row] = await query(
        database,
        (sql) => sql<{ file: string }[]>`
          select current_setting('data_directory') || '/../root-was-here' as file`,
      );
      const write = query(database, (sql) => sql.unsafe(`copy (select 1) to '${row?.file}'`));
      await expect(write).rejects.toThrow('Permission denied');
      await database.stop();
    }
  });

  it('in an open folder its superuser reads no file of root', async () => {
    await writeFile(path.join(path.dirname(folder), 'secret'), 'of root', { mode: 0o600 });
    const database = await start(folder);
    const read = `copy (select 1) to program 'cat ${path.dirname(folder)}/secret'`;
    await expect(query(database, (sql) => sql.unsafe(read))).rejects.toThrow('failed');
    await database.stop();
  });

  it('a database that root owned before becomes the other user’s, also when the change was cut short', async () => {
    const first = await start(folder);
    await query(first, (sql) => sql`create table note (text text)`);
    await addNote(first);
    await first.stop();
    const cluster = path.join(folder, 'postgres');
    const [user = 0] = await ownersIn(cluster);
    expect(user).not.toBe(0);
    for (const left of [[], ['base', 'global'].map((name) => path.join(cluster, name))]) {
      for (const name of await readdir(cluster, { recursive: true }))
        await lchown(path.join(cluster, name), 0, 0);
      await lchown(cluster, 0, 0);
      for (const done of left) await lchown(done, user, user);
      const database = await start(folder);
      expect(await countNotes(database)).toBe(1);
      expect(await ownersIn(cluster)).toEqual([user]);
      await database.stop();
    }
  });
});

describe('the first start', () => {
  it('can be killed at any moment: the next one finishes the work', async () => {
    const folder = path.join(parent, 'killed');
    for (const afterMs of [150, 350, 600]) {
      const owner = spawnOwner(folder);
      await eventually('the lock of this start', async () => {
        const lock = await readFile(path.join(folder, 'service.lock'), 'utf8').catch(() => '{}');
        return (JSON.parse(lock) as { pid?: number }).pid === owner.pid;
      });
      await sleep(afterMs);
      owner.kill('SIGKILL');
      await once(owner, 'exit');
    }
    const database = await start(folder);
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres.init-'))).toEqual([]);
    await database.stop();
  });

  it('refuses a folder that holds something else, and leaves it alone', async () => {
    const folder = path.join(parent, 'foreign');
    await mkdir(path.join(folder, 'postgres'), { recursive: true });
    await writeFile(path.join(folder, 'postgres', 'holiday.jpg'), 'picture');
    await expect(start(folder)).rejects.toThrow(EmbeddedStartError);
    await expect(start(folder)).rejects.toThrow(/no PostgreSQL database.*DATABASE_URL/);
    expect(await readdir(folder)).toEqual(['postgres']);
  });

  it('refuses a path that PostgreSQL cannot handle', async () => {
    const folder = path.join(parent, ...Array.from({ length: 5 }, () => 'x'.repeat(200)));
    await expect(start(folder)).rejects.toThrow(/SVC_DATA_DIR.*DATABASE_URL/);
  });
});
