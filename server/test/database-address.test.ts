import { randomBytes } from 'node:crypto';
import { createDatabase } from '@payassent/proof/database/database';
import { createTcpProxy } from '@payassent/proof/faults/tcp-proxy';
import { enrolDevice } from '@payassent/proof/people/wallets';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConfigError, describeConfig, parseConfig } from '../src/config/index.ts';
import { openDatabase, SERVICE_SESSION } from '../src/db/open.ts';

const WITHIN = { timeout: 90_000, interval: 100 };
const GUARD = { allowUnsafeDurability: false, isDirect: false };
const isReady = async ({ call }: TestService) => (await call('GET', '/ready')).status === 200;

const KEY = { SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
const faultsOf = (url: string) => {
  try {
    parseConfig({ ...KEY, DATABASE_URL: url });
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

describe('an address of the database', () => {
  it('may name several hosts: the first that takes writes is used, and one that is away is passed over', async () => {
    const service = await serviceForTest({
      async reach(databaseUrl) {
        const [dead, alive] = [await createTcpProxy(databaseUrl), await createTcpProxy(databaseUrl)];
        dead.hangUp();
        const both = alive.url.replace('127.0.0.1:', `127.0.0.1:${new URL(dead.url).port},127.0.0.1:`);
        const close = async () => void (await Promise.all([dead.close(), alive.close()]));
        return { url: `${both}?target_session_attrs=read-write`, close };
      },
    });
    await enrolDevice(service);
    expect(await isReady(service)).toBe(true);
  });

  it('whose hosts are all away is an error, never silence', async () => {
    const database = await createDatabase({ empty: true });
    const [one, other] = [await createTcpProxy(database.url), await createTcpProxy(database.url)];
    await one.pause();
    other.hangUp();
    const url = one.url.replace('127.0.0.1:', `127.0.0.1:${new URL(other.url).port},127.0.0.1:`);
    const db = openDatabase({ url }, { pool: 1 });
    onTestFinished(async () => {
      await db.end({ timeout: 1 });
      await Promise.all([one.close(), other.close()]);
      await database.drop();
    });
    await expect(db`select 1`).rejects.toThrow();
  });

  it('that leads to a standby or a read-only server is refused before any query there', async () => {
    const database = await createDatabase();
    const url = `${database.url}${database.url.includes('?') ? '&' : '?'}default_transaction_read_only=on`;
    const db = openDatabase({ url }, { pool: 2, guard: GUARD });
    onTestFinished(async () => {
      await db.end({ timeout: 1 });
      await database.drop();
    });
    const refused = await Promise.all([1, 2, 3].map(() => db`select 1`.catch((error: unknown) => error)));
    expect(refused).toMatchObject([1, 2, 3].map(() => ({ code: '25006' })));
    expect(await db.reserve().catch((error: unknown) => error)).toMatchObject({ code: '25006' });
  });

  it('is shown without the password, and an unusable part is named', () => {
    const shown = (url: string) => describeConfig(parseConfig({ ...KEY, DATABASE_URL: url }))['database'];
    expect(shown('postgres://app:secret@db1,db2:5433/pay?target_session_attrs=primary&sslmode=require')).toBe(
      'postgres://app@db1:5432,db2:5433/pay (TLS require, the first host that takes writes)',
    );
    expect(shown('postgres://app:secret@db1/pay?prepare=false')).toBe(
      'postgres://app@db1:5432/pay (no TLS, no prepared statements)',
    );
    expect(faultsOf('postgres://app@db1/pay?sslmode=verify-ca&sslrootcert=/nowhere/ca.pem')).toEqual([
      'DATABASE_URL names the certificates /nowhere/ca.pem (sslrootcert), which cannot be read.',
    ]);
    expect(faultsOf('postgres://app@db1/pay?target_session_attrs=standby')[0]).toMatch(
      /any, read-write, primary/,
    );
    expect(faultsOf('postgres://app:secret@db1:nonsense/pay')[0]).toMatch(
      /^DATABASE_URL is not a usable address/,
    );
  });
});

describe('a server that begins to promise less', () => {
  it('is dropped with each new connection: not ready, one line names the reason, and back when it promises again', async () => {
    const { log, lines } = createLogLines();
    const service = await serviceForTest({ jobs: false, overrides: () => ({ log }) });
    const name = service.database.target.database;
    const renewConnections = () =>
      service.db`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name ?? ''} and pid <> pg_backend_pid() and application_name = ${SERVICE_SESSION}`;
    await service.db.unsafe(`alter database ${name} set synchronous_commit = off`);
    await renewConnections();
    await expect.poll(() => isReady(service), WITHIN).toBe(false);
    const refused = await service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    const lost = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'database_lost');
    expect(lost.map(({ err }) => err.message).join()).toMatch(/synchronous_commit=off|CONNECTION|terminat/);
    await service.db.unsafe(`alter database ${name} reset synchronous_commit`);
    await expect.poll(() => isReady(service), WITHIN).toBe(true);
    await enrolDevice(service);
  });
});

describe('a role that may not change the schema', () => {
  it('serves an up-to-date one, and with SVC_MIGRATE=off a missing migration is refused by name', async () => {
    const role = `app_${randomBytes(4).toString('hex')}`;
    const asRole = async (databaseUrl: string) => {
      const owner = openDatabase({ url: databaseUrl }, { pool: 1 });
      await owner.unsafe(`
        create role ${role} login password 'app';
        grant select, insert, update, delete on all tables in schema public to ${role};
        grant usage on all sequences in schema public to ${role}`);
      await owner.end();
      const url = new URL(databaseUrl);
      [url.username, url.password] = [role, 'app'];
      const close = async () => {};
      return { url: url.href, env: { SVC_MIGRATE: 'off' }, close };
    };
    const service = await serviceForTest({ reach: asRole, jobs: false, ungranted: true });
    onTestFinished(async () => void (await service.db.unsafe(`drop owned by ${role}; drop role ${role}`)));
    await enrolDevice(service);
    expect((await service.call('GET', '/health')).body.privileges).toBe('single');
    await service.db`delete from schema_migrations where number = (select max(number) from schema_migrations)`;
    await expect(service.restart()).rejects.toThrow(
      /lacks migration \d{4}_.*SVC_MIGRATE is off.*payassent migrate/,
    );
  });
});
