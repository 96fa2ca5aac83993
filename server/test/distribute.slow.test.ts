// Slow: distributes a database over several nodes, where Citus is installed.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CitusCluster, missingParts, startCitus } from '@payassent/proof/database/citus';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { activePolicy, autonomy, pay, report as reportPayment } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import { createEndpoint } from '@payassent/proof/people/webhooks';
import { payassent } from '@payassent/proof/service/command';
import { startProcess } from '@payassent/proof/service/process';
import { serviceForTest, startService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { backupDatabase, distributeDatabase as distribute, restoreDatabase } from '../src/cli.ts';
import { SQL_FOLDER } from '../src/context.ts';
import { migrate } from '../src/db/migrate.ts';
import { MIRROR, MIRRORED } from '../src/db/mirror.ts';
import { type Database, openDatabase } from '../src/db/open.ts';
import { loginName, ROLE_KINDS } from '../src/db/roles/names.ts';
import { OperatorError } from '../src/errors.ts';
import { FUNCTIONS_VERSION, renewFunctions } from '../src/maintenance/distribution/functions.ts';
import { distributeDatabase } from '../src/maintenance/distribution/index.ts';
import { DISTRIBUTION_PLAN } from '../src/maintenance/distribution/plan.ts';

const SHARDS = 8;

/** Everything that has a name in the database. */
async function catalogOf(db: Database): Promise<string[]> {
  const rows = await db<{ text: string }[]>`
    select concat_ws(' ', 'class', oid, relnamespace::regnamespace, relname, relkind, relfilenode) as text from pg_class
      where relnamespace::regnamespace::text not like 'pg_%'
    union all select concat_ws(' ', 'function', oid, pronamespace::regnamespace, proname, md5(prosrc)) from pg_proc
      where pronamespace::regnamespace::text not like 'pg_%'
    union all select concat_ws(' ', 'trigger', oid, tgrelid::regclass, tgname) from pg_trigger
    union all select concat_ws(' ', 'constraint', oid, conrelid::regclass, conname) from pg_constraint
    order by 1`;
  return rows.map(({ text }) => text);
}

async function digestOf(db: Database, table: string): Promise<string> {
  const rows = await db.unsafe(`select * from ${table}`);
  const lines = rows.map((row) => JSON.stringify(row)).sort();
  return `${lines.length} rows, ${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
}

async function digestsOf(db: Database, tables: readonly string[], schema = 'public') {
  const found: Record<string, string> = {};
  for (const table of tables) found[table] = await digestOf(db, `${schema}.${table}`);
  return found;
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return (error as OperatorError).message;
}

describe.skipIf(isDistributedRun)('a PostgreSQL without Citus', () => {
  it('is refused and stays as it is', async () => {
    const { db, env } = await serviceForTest({ jobs: false });
    const before = await catalogOf(db);
    const refusal = await refusalOf(distribute(env, () => {}, { shards: SHARDS }));
    expect(refusal).toContain(
      'does not have the extension citus. Install Citus 13.2 or newer on every machine',
    );
    expect(refusal).toContain("shared_preload_libraries = 'citus'");
    expect(refusal).toContain('create extension citus');
    expect(await catalogOf(db)).toEqual(before);
  });

  it('is not even requested a number of shards that makes no sense', async () => {
    const { db } = await serviceForTest({ jobs: false });
    for (const shards of [0, 1025, 2.5, Number.NaN])
      expect(await refusalOf(distributeDatabase(db, { shards }))).toContain('between 1 and 1024');
  });

  it('is left to the command that was first', async () => {
    const { db } = await serviceForTest({ jobs: false });
    const first = await db.reserve();
    onTestFinished(() => first.release());
    await first`select pg_advisory_lock(7264911005)`;
    expect(await refusalOf(distributeDatabase(db, { shards: SHARDS }))).toContain('Another command');
    await first`select pg_advisory_unlock(7264911005)`;
  });
});

const missing = missingParts();

describe.skipIf(missing !== undefined)(
  `a Citus cluster${missing === undefined ? '' : ` (left out: ${missing})`}`,
  () => {
    const NAME = 'payassent';
    let cluster: CitusCluster;
    let url: string;
    let owner: Database;
    let admin: Database;

    beforeAll(async () => {
      cluster = await startCitus({ database: NAME, workers: 3 });
      admin = openDatabase({ url: cluster.coordinator.url }, { pool: 1, patient: true, name: 'test' });
      // Citus forwards it to the other machines.
      await admin.unsafe(`create role ${NAME} login createrole`);
      await admin.unsafe(`alter database ${NAME} owner to ${NAME}`);
      url = cluster.coordinator.url.replace('postgres@', `${NAME}@`);
      // The third one is added later.
      await admin`select citus_remove_node('127.0.0.1', ${cluster.workers[2]?.port ?? 0})`;
      owner = openDatabase({ url }, { pool: 2, patient: true, name: 'test' });
    });

    afterAll(async () => {
      await owner?.end({ timeout: 1 });
      await admin?.end({ timeout: 1 });
      cluster?.stop();
    });

    const serviceThere = () => startService({ reach: async () => ({ url, close: async () => {} }) });

    it('keeps every row when it is distributed, and the service continues there', async () => {
      const worker = cluster.workers[1];
      if (!worker) throw new Error('There is no second worker.');
      const former = await serviceThere();
      const { env } = former;
      expect(former.context.privileges).toBe('separate');
      const stages: PaymentStage[] = [];
      for (let n = 0; n < 3; n += 1) {
        const stage = await paymentStage(former);
        await createEndpoint(former, stage.merchant, { url: 'http://127.0.0.1:1/hook' });
        for (const status of ['signed', 'rejected', undefined]) {
          const request = await pendingRequest(former, stage);
          if (status) await succeed(report(former, stage, request['request_id'], { status }));
        }
        stages.push(stage);
      }
      const world = await autonomy(former);
      await activePolicy(former, world);
      const { id: paid } = (await succeed(pay(former, world, '4'))).body.data;
      await succeed(reportPayment(former, world, paid, 'signed'));
      const command = (shards = SHARDS) => distribute(env, () => {}, { shards });
      const before = await catalogOf(owner);
      expect(await refusalOf(distributeDatabase(owner, { shards: SHARDS }))).toContain(
        'Stop every process of the service first',
      );
      await former.close();
      await owner.unsafe('create table extra (n int) partition by hash (n)');
      expect(await refusalOf(command())).toContain('extra has partitions');
      await owner.unsafe('drop table extra; create table extra (n int)');
      expect(await refusalOf(command())).toContain('not of this version of PayAssent: extra.');
      await owner.unsafe('drop table extra; create schema kept; alter table wallet_codes set schema kept');
      expect(await refusalOf(command())).toContain('The schema lacks tables: wallet_codes.');
      await owner.unsafe('alter table kept.wallet_codes set schema public; drop schema kept');
      // The schema is brought up to date first, and a role that makes roles makes them on every machine.
      await admin.unsafe(`alter role ${NAME} nocreaterole`);
      worker.kill();
      expect(await refusalOf(command())).toContain(
        `The coordinator cannot work with 127.0.0.1:${worker.port}`,
      );
      worker.start();
      await expect
        .poll(() =>
          admin.unsafe(`alter role ${NAME} createrole`).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      expect(await catalogOf(owner)).toEqual(before);

      const tables = [...DISTRIBUTION_PLAN.group, ...MIRRORED];
      const rows = await digestsOf(owner, tables);
      for (const table of ['payment_requests', 'webhook_endpoints', 'connections', 'agent_payment_events'])
        expect(rows[table]).not.toMatch(/^0 /);
      const ports = cluster.workers.map(({ port }) => port);
      const machine = (port: number | undefined, shards: number) => ({ host: '127.0.0.1', port, shards });
      const spread = { shards: SHARDS, machines: [machine(ports[0], 4), machine(ports[1], 4)] };
      const interrupted = distributeDatabase(owner, {
        shards: SHARDS,
        progress(table) {
          if (table === `${MIRROR}.recipients`) throw new Error('interrupted');
        },
      });
      await expect(interrupted).rejects.toThrow('interrupted');
      expect(await catalogOf(owner)).toEqual(before);
      expect(await digestsOf(owner, tables)).toEqual(rows);

      const told: string[] = [];
      const progress = (table: string) => told.push(table);
      expect(await distribute(env, () => {}, { shards: SHARDS, progress })).toMatchObject({
        ...spread,
        isNew: true,
      });
      expect(told).toEqual([
        ...DISTRIBUTION_PLAN.group,
        'log_outbox',
        ...MIRRORED.map((table) => `${MIRROR}.${table}`),
      ]);
      const unchanged = async () => {
        expect(await digestsOf(owner, tables)).toEqual(rows);
        const mirrored = Object.fromEntries(MIRRORED.map((table) => [table, rows[table]]));
        expect(await digestsOf(owner, MIRRORED, MIRROR)).toEqual(mirrored);
      };
      await unchanged();
      // The next start lets the roles of the service in again.
      for (const kind of ROLE_KINDS) {
        const login = loginName(NAME, kind, former.context.keys.currentKeyId);
        const role = openDatabase({ url: url.replace(`${NAME}@`, `${login}@`) }, { pool: 1, name: 'test' });
        onTestFinished(() => role.end({ timeout: 1 }));
        expect(await role`select request_id from payment_requests`).toHaveLength(0);
        await expect(role`select merchant_id from mirror.merchants`).rejects.toThrow('permission denied');
      }

      const catalog = await catalogOf(owner);
      expect(await command(16)).toMatchObject({ ...spread, isNew: false });
      // In a separate session: the first one keeps a connection to the machine that was killed.
      const later = openDatabase({ url: cluster.coordinator.url }, { pool: 1, patient: true, name: 'test' });
      onTestFinished(() => later.end({ timeout: 1 }));
      await later`select citus_add_node('127.0.0.1', ${ports[2] ?? 0})`;
      spread.machines.push(machine(ports[2], 0));
      expect(await command()).toMatchObject({ ...spread, isNew: false });
      const cli = await payassent();
      onTestFinished(() => cli.remove());
      const said = await cli(['distribute'], { env: env as Record<string, string> });
      expect(said.stdout.split('\n').slice(1)).toEqual([
        'It is distributed already: 8 shards on 3 machines.',
        ...[4, 4, 0].map((shards, n) => `  127.0.0.1:${ports[n]}: ${shards} shards`),
        'A machine has no shards. To move some there, run in the database: select citus_rebalance_start()',
        '',
      ]);
      expect(await catalogOf(owner)).toEqual(catalog);
      await unchanged();

      await later`select citus_rebalance_start()`;
      await later`select citus_rebalance_wait()`;
      const moved = await command();
      expect(moved.machines.map(({ shards }) => shards).sort()).toEqual([2, 3, 3]);
      await unchanged();

      // As a release leaves it that knew fewer tables on the machines.
      const left = ['agent_payments', 'automation_policies'];
      for (const table of left) await owner.unsafe(`select undistribute_table('${table}')`);
      await expect(startProcess(env)).rejects.toThrow(
        `left tables on its coordinator: ${left.join(', ')}. Stop every process of the service, run "payassent distribute"`,
      );
      told.length = 0;
      expect((await distribute(env, () => {}, { shards: SHARDS, progress })).isNew).toBe(false);
      expect(told).toEqual(left);
      await unchanged();

      const service = await serviceThere();
      onTestFinished(() => service.close());
      expect(service.context.privileges).toBe('separate');
      for (const stage of stages) {
        const list = await succeed(
          service.call('GET', '/v1/payment-requests/events?since=0&limit=100', {
            bearer: stage.connectionToken,
          }),
        );
        expect(list.body.events).toHaveLength(2);
        await succeed(postRequest(service, stage));
      }

      await succeed(reportPayment(service, world, paid, 'broadcasted'));
      await succeed(pay(service, world, '5'));

      // A release replaces what earlier ones brought, and leaves alone what later ones did.
      const versionAfter = async (version: number) => {
        await owner.unsafe(`comment on function say_events(id, text) is '${version}'`);
        await renewFunctions(owner);
        const [row] = await owner`
          select obj_description('say_events(id, text)'::regprocedure, 'pg_proc') as version`;
        return Number(row?.['version']);
      };
      expect(await versionAfter(FUNCTIONS_VERSION + 1)).toBe(FUNCTIONS_VERSION + 1);
      expect(await versionAfter(FUNCTIONS_VERSION - 1)).toBe(FUNCTIONS_VERSION);
    });

    it('is backed up with the service stopped, and restored into one PostgreSQL', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'payassent-distributed-backup-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const service = await serviceThere();
      const { env } = service;
      const stage = await paymentStage(service);
      const { request_id: requestId } = await pendingRequest(service, stage);
      // No one takes it to the log.
      await service.restart({ jobs: false });
      await succeed(report(service, stage, requestId, { status: 'rejected' }));
      const options = {
        file: join(folder, 'backup'),
        passphrase: 'a long passphrase',
        includeMasterKey: false,
      };
      const backup = () => backupDatabase(env, () => {}, options);
      expect(await refusalOf(backup())).toContain('Stop every process of the service first');
      await service.close();
      expect(await owner`select from log_outbox`).not.toHaveLength(0);
      const made = await backup();
      expect(await owner`select from log_outbox`).toHaveLength(0);

      await admin.unsafe('create database alone');
      const aloneUrl = cluster.coordinator.url.replace(/\/[^/]*$/, '/alone');
      const there = { ...env, DATABASE_URL: aloneUrl };
      expect((await restoreDatabase(there, () => {}, options)).rows).toBe(made.rows);
      const alone = openDatabase({ url: aloneUrl }, { pool: 1, patient: true, name: 'test' });
      onTestFinished(() => alone.end({ timeout: 1 }));
      const tables = Object.values(DISTRIBUTION_PLAN)
        .flat()
        .filter((table) => !['role_grants', 'schema_migrations'].includes(table));
      expect(await digestsOf(alone, tables)).toEqual(await digestsOf(owner, tables));
      const [entry] = await alone`select from log_queue where subject like ${`%${requestId}`}`;
      expect(entry).toBeDefined();
      const restored = await startService({ reach: async () => ({ url: aloneUrl, close: async () => {} }) });
      onTestFinished(() => restored.close());
      await succeed(postRequest(restored, stage));
    });

    it('is refused while its coordinator knows no worker, and stays as it is', async () => {
      await admin.unsafe('create database lonely');
      const lonelyUrl = cluster.coordinator.url.replace(/\/[^/]*$/, '/lonely');
      const lonely = openDatabase({ url: lonelyUrl }, { pool: 1, patient: true, name: 'test' });
      onTestFinished(() => lonely.end({ timeout: 1 }));
      await lonely.unsafe('create extension citus');
      await migrate(lonely, SQL_FOLDER);
      const before = await catalogOf(lonely);
      const refusal = await refusalOf(distributeDatabase(lonely, { shards: SHARDS }));
      expect(refusal).toContain('citus_set_coordinator_host');
      expect(refusal).toContain('citus_add_node');
      expect(await catalogOf(lonely)).toEqual(before);
    });
  },
);
