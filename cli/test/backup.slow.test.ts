// Slow: backs up and restores whole databases while they are written.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@payassent/proof/database/database';
import { succeed } from '@payassent/proof/people/merchants';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  driverOptions,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../../server/src/db/embedded/index.ts';
import { type Database, openDatabase } from '../../server/src/db/open.ts';

let cli: PayAssent;
let folder: string;
beforeAll(async () => {
  cli = await payassent();
  folder = await mkdtemp(join(tmpdir(), 'payassent-backup-'));
});
afterAll(async () => {
  await cli.remove();
  await rm(folder, { recursive: true, force: true });
});

const PASSPHRASE = { PAYASSENT_BACKUP_PASSPHRASE: 'correct horse battery staple' };

/** Opens the embedded database of a folder that no service uses. */
async function within<T>(dataDir: string, look: (db: Database) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { user, ...place } = driverOptions(server);
  const db = openDatabase({ ...place, username: user }, { pool: 1 });
  try {
    return await look(db);
  } finally {
    await db.end({ timeout: 1 });
    await server.stop();
  }
}

/** Half a megabyte that cannot be compressed, in a table that a running service does not scan. */
async function insertNoise(dataDir: string): Promise<void> {
  const db = openDatabase((await findRunningPostgres(dataDir)) ?? {}, { pool: 1 });
  await db`
    insert into rate_budgets (name, subject, uses, leases, expires_at)
    select 'noise', gen_random_uuid(), to_jsonb((
        select string_agg(encode(uuid_send(gen_random_uuid()), 'base64'), '') from generate_series(1, 40 + n % 2))),
      '{}', now() + interval '1 day'
    from generate_series(1, 1000) n`;
  await db.end();
}

it('a backup during creates and decisions, restored elsewhere, is a prefix of what happened, with nothing half', async () => {
  const service = await serviceForTest();
  const stages = await Promise.all([paymentStage(service), paymentStage(service)]);
  const created: string[] = [];
  const rejected: string[] = [];
  let isOver = false;
  const load = Promise.all(
    [...stages, ...stages].map(async (stage) => {
      while (!isOver) {
        const { request_id } = await pendingRequest(service, stage);
        created.push(request_id);
        await succeed(report(service, stage, request_id, { status: 'rejected' }));
        rejected.push(request_id);
      }
    }),
  );
  await expect.poll(() => rejected.length, { timeout: 120_000 }).toBeGreaterThan(100);
  const before = { created: [...created], rejected: [...rejected] };
  const file = join(folder, 'load.backup');
  const { DATABASE_URL = '', SVC_MASTER_KEY = '' } = service.env;
  // Runs in this process: a separate one gets too little processor time on a busy machine.
  const backup = cli.here(['backup', file, '--json'], {
    env: { DATABASE_URL, SVC_MASTER_KEY, SVC_DATA_DIR: join(folder, 'unused'), ...PASSPHRASE },
  });
  await expect.poll(() => rejected.length, { timeout: 60_000 }).toBeGreaterThan(before.rejected.length + 100);
  isOver = true;
  await load;
  const made = await backup;
  expect(made.code, made.stderr).toBe(0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const content = await readFile(file);
  expect(content.includes(before.created[0] ?? '?')).toBe(false);

  const elsewhere = join(folder, 'elsewhere');
  const env = { SVC_DATA_DIR: elsewhere, SVC_MASTER_KEY, ...PASSPHRASE };
  const restored = await cli.here(['restore', file, '--json'], { env });
  expect(restored.code, restored.stderr).toBe(0);
  expect(restored.lines[0].rows).toBe(made.lines[0].rows);
  await within(elsewhere, async (db) => {
    const statuses = await db<{ request_id: string; status: string; steps: number; events: number }[]>`
      select r.request_id, r.status, r.state_version - 1 as steps, coalesce(e.events, 0) as events
      from payment_requests r
      left join (select merchant_id, request_id, count(*)::int as events
                 from payment_request_events group by merchant_id, request_id) e
        using (merchant_id, request_id)`;
    const found = new Map(statuses.map((row) => [row.request_id, row]));
    expect(before.created.filter((id) => !found.has(id))).toEqual([]);
    expect(before.rejected.filter((id) => found.get(id)?.status !== 'rejected')).toEqual([]);
    expect(statuses.filter(({ steps, events }) => steps !== events)).toEqual([]);
    const eventsOf = (from: Database) => from<
      { connection_id: string; sequence: number; event_id: string }[]
    >`
      select connection_id, sequence, event_id from payment_request_events order by connection_id, sequence`;
    const [now, then] = [await eventsOf(service.db), await eventsOf(db)];
    for (const { connectionId } of stages) {
      const ofThis = (rows: typeof now) => rows.filter((row) => row.connection_id === connectionId);
      const prefix = ofThis(then);
      expect(prefix.length).toBeGreaterThan(0);
      expect(prefix.map(({ sequence }) => sequence)).toEqual(prefix.map((_, index) => index + 1));
      expect(ofThis(now).slice(0, prefix.length)).toEqual(prefix);
    }
  });
  expect((await cli.here(['audit', 'verify'], { env })).code).toBe(0);
}, 600_000);

it('an embedded database is backed up while its service runs, and starts again elsewhere from the file alone', async () => {
  const dataDir = join(folder, 'running');
  const port = await freePort();
  const env = { SVC_DATA_DIR: dataDir, SVC_PORT: String(port), ...PASSPHRASE };
  const healthy = async () =>
    (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok ?? false;
  const running = cli.start(['serve'], { env });
  await expect.poll(healthy, { timeout: 120_000 }).toBe(true);
  // So much that a bad file begins well.
  await insertNoise(dataDir);
  const whole = join(folder, 'whole.backup');
  const bare = join(folder, 'bare.backup');
  const made = await cli(['backup', whole, '--include-master-key'], { env });
  expect(made.stdout, made.stderr).toContain('It holds the master key');
  expect((await cli.here(['backup', bare, '--json'], { env })).lines[0]).toMatchObject({
    has_master_key: false,
  });
  expect((await cli.here(['backup', bare], { env })).stderr).toContain('already there');
  // The file alone would open nothing.
  const other = { SVC_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') };
  const useless = join(folder, 'useless.backup');
  const refused = await cli.here(['backup', useless, '--include-master-key'], { env: { ...env, ...other } });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('is that of another installation'),
  ]);
  expect((await readdir(folder)).filter((name) => name.startsWith('useless'))).toEqual([]);
  expect(await healthy()).toBe(true);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);

  const target = join(folder, 'target');
  const elsewhere = { ...env, SVC_DATA_DIR: target };
  const refusal = async (args: readonly string[], more: Record<string, string> = {}) => {
    const { code, stderr } = await cli.here(['restore', ...args], { env: { ...elsewhere, ...more } });
    expect(code).toBe(1);
    expect((await readdir(target)).filter((name) => name.startsWith('postgres'))).toEqual([]);
    return stderr;
  };
  const wrong = { PAYASSENT_BACKUP_PASSPHRASE: 'incorrect horse battery' };
  expect(await refusal([whole], wrong)).toContain('The passphrase is not the one');
  const cut = join(folder, 'cut.backup');
  await writeFile(cut, (await readFile(whole)).subarray(0, -20));
  expect(await refusal([cut])).toContain('The backup is cut');
  expect(await refusal([bare])).toContain('made without the master key');
  expect(await refusal([join(folder, 'absent.backup')])).toContain('There is no file');
  for (const file of [whole, bare])
    expect(await refusal([file], other)).toContain('is that of another installation');

  const restored = await cli(['restore', whole], { env: elsewhere });
  expect(restored.code, restored.stderr).toBe(0);
  expect(await readFile(join(target, 'master.key'))).toEqual(await readFile(join(dataDir, 'master.key')));
  expect((await cli.here(['restore', whole], { env: elsewhere })).stderr).toContain('has a database already');
  const again = cli.start(['serve'], { env: elsewhere });
  await expect.poll(healthy, { timeout: 120_000 }).toBe(true);
  again.child.kill('SIGTERM');
  expect((await again.ended).code).toBe(0);

  // From the embedded database to the host's own server.
  const server = await createDatabase({ empty: true });
  const masterKey = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim();
  const moved = { ...elsewhere, DATABASE_URL: server.url, SVC_MASTER_KEY: masterKey };
  // A bad file leaves nothing there, however late that is found, and what was there before stays.
  const db = openDatabase({ url: server.url }, { pool: 1 });
  await db.unsafe('create table kept (n int); create function kept() returns int return 1');
  const names = () => db<{ name: string }[]>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
    union all select proname::text from pg_proc where pronamespace = 'public'::regnamespace
    union all select typname::text from pg_type where typnamespace = 'public'::regnamespace order by name`;
  const before = await names();
  const content = await readFile(bare);
  const changed = Buffer.from(content);
  changed[content.length - 200_000] = (changed[content.length - 200_000] ?? 0) ^ 1;
  for (const [bytes, why] of [
    [content.subarray(0, -100_000), 'The backup is cut'],
    [changed, 'The backup is damaged'],
  ] as const) {
    await writeFile(cut, bytes);
    const broken = await cli.here(['restore', cut], { env: moved });
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(await names()).toEqual(before);
  }
  await db.end();
  expect((await cli.here(['restore', bare], { env: moved })).code).toBe(0);
  expect((await cli.here(['restore', bare], { env: moved })).stderr).toContain('not empty');
  await server.drop();
}, 600_000);
