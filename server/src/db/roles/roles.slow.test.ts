// Slow: creates roles and grants from scratch, with second services and processes.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '@payassent/proof/database/database';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { activePolicy, autonomy, pay } from '@payassent/proof/people/autonomy';
import { signUp, succeed, verifiedMerchant } from '@payassent/proof/people/merchants';
import { paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { startProcess } from '@payassent/proof/service/process';
import { secondService } from '@payassent/proof/service/second-service';
import { freePort, serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { SQL_FOLDER } from '../../context.ts';
import { tableNames } from '../migrate.ts';
import { type Database, openDatabase, SERVICE_SESSION } from '../open.ts';
import { loginName, type RoleKind } from './names.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ungranted: true });
  const world = await autonomy(service);
  await activePolicy(service, world);
  await succeed(pay(service, world, '1'));
  const stage = await paymentStage(service);
  await succeed(
    service.call('POST', '/v1/transaction-contexts', {
      bearer: stage.connectionToken,
      body: { title: 'Order' },
    }),
  );
  await pendingRequest(service, stage);
});
afterAll(() => service.close());

/** A separate connection with the password that the service uses. */
function enterAs(kind: RoleKind, database: TestDatabase = service.database): Database {
  const { keys } = service.context;
  const username = loginName(database.target.database ?? '', kind, keys.currentKeyId);
  const password = keys.mac('database-role', keys.currentKeyId, username).toString('base64url');
  const db = openDatabase({ ...database.target, username, password }, { pool: 1 });
  onTestFinished(() => db.end({ timeout: 1 }));
  return db;
}

const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: { code?: string; message?: string }) => error.code ?? String(error.message),
  );

describe('the roles that the service works as', () => {
  it('are two, log in with one password each, and own nothing', async () => {
    const health = await service.call('GET', '/health');
    expect(health.body.privileges).toBe('separate');
    const rows = await service.db<{ name: string; owns: number; may: boolean }[]>`
      select distinct usename::text as name,
        (select count(*)::int from pg_class c where c.relowner = usesysid) as owns,
        rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as may
      from pg_stat_activity s join pg_roles r on r.oid = s.usesysid
      where datname = current_database() and application_name = ${SERVICE_SESSION} order by 1`;
    expect(rows.map(({ name }) => name.replace(/_k[0-9a-f]{16}$/, ''))).toEqual([
      `cs_${service.database.target.database}_service`,
      `cs_${service.database.target.database}_tenant`,
    ]);
    for (const { owns, may } of rows) expect([owns, may]).toEqual([0, false]);
  });

  it.each<RoleKind>(['service', 'tenant'])(
    '%s: neither schema, nor files, nor other rights',
    async (kind) => {
      const db = enterAs(kind);
      const attempts = [
        'truncate payment_requests',
        'truncate audit_events cascade',
        'create table mine (n int)',
        // In a shared cluster, PUBLIC may.
        ...(isDistributedRun ? [] : ['create temp table mine (n int)']),
        'create schema mine',
        'create function mine() returns int language sql as $$ select 1 $$',
        'create role mine',
        'create extension dblink',
        'alter table payment_requests disable trigger all',
        'alter table payment_requests disable row level security',
        'drop table agents',
        'drop policy one_tenant on agents',
        "copy (select 1) to program 'true'",
        "copy rate_budgets from '/etc/passwd'",
        "select pg_read_file('/etc/passwd')",
        "select pg_ls_dir('.')",
        "select lo_import('/etc/passwd')",
        'select rolpassword from pg_authid',
        'select key from tenant_seal',
        'update schema_migrations set checksum = checksum',
        `set role ${inject('cluster').username}`,
        `set session authorization ${inject('cluster').username}`,
        "set session_replication_role = 'replica'",
        'alter system set fsync = off',
      ];
      for (const attempt of attempts)
        expect([attempt, await refusalOf(db.unsafe(attempt))]).toEqual([attempt, '42501']);
    },
  );

  it.each<[string, string[]]>([
    [
      'payment_requests',
      [
        'amount',
        'to_address',
        'memo',
        'asset',
        'network',
        'issuer',
        'contract',
        'payee',
        'facts_digest',
        'display',
        'metadata',
        'source',
        'expires_at',
        'recipient_version_id',
        'merchant_id',
        'wallet_id',
        'idempotency_key',
      ],
    ],
    ['recipient_versions', ['address', 'memo', 'network', 'asset', 'name', 'decimals', 'issuer', 'contract']],
    ['agent_payments', ['amount', 'to_address', 'memo', 'asset', 'payee', 'facts_digest', 'policy_id']],
    ['automation_policies', ['wallet_id', 'merchant_id', 'connection_id', 'network', 'asset']],
    ['agent_credentials', ['public_key', 'kid', 'agent_id']],
    ['recipient_evidence', ['evidence_digest', 'domain', 'expires_at']],
    ['transaction_contexts', ['content', 'revision']],
    ['payment_request_events', ['status', 'sequence', 'actor']],
    ['audit_events', ['actor_id', 'details', 'occurred_at']],
    ['merchants', ['suspended_at']],
    ['agents', ['suspended_by_installation_at', 'merchant_suspended_at']],
    ['recipient_versions', ['merchant_suspended_at']],
  ])('cannot change what is final in %s', async (table, columns) => {
    const db = enterAs('service');
    expect(await db`select from ${db(table)} limit 1`).toHaveLength(
      table === 'payment_request_events' ? 0 : 1,
    );
    for (const column of columns) {
      const change = db`update ${db(table)} set ${db(column)} = ${db(column)}`;
      expect([column, await refusalOf(change)]).toEqual([column, '42501']);
    }
  });

  it.each([
    'payment_requests',
    'recipient_versions',
    'agent_payments',
    'automation_policies',
    'recipient_evidence',
    'transaction_contexts',
    'payment_request_events',
    'audit_events',
  ])('cannot delete from %s', async (table) => {
    const db = enterAs('service');
    expect(await refusalOf(db`delete from ${db(table)}`)).toBe('42501');
  });

  it('reach every table of the schema that they need, each with a merchant behind the wall', async () => {
    const asService = enterAs('service');
    const tenant = enterAs('tenant');
    const made = await tableNames(SQL_FOLDER);
    const there = await service.db<{ name: string }[]>`
      select name from unnest(${made}::text[]) name where to_regclass(name) is not null`;
    const names = there
      .map(({ name }) => name)
      .filter((name) => !['tenant_seal', 'role_grants', 'master_keys'].includes(name));
    expect(names.length).toBeGreaterThan(35);
    for (const name of names) {
      expect([name, await refusalOf(asService`select from ${asService(name)} limit 0`)]).toEqual([
        name,
        'done',
      ]);
      const [columns] = await service.db<{ found: boolean }[]>`
        select exists (select from pg_attribute where attrelid = ${name}::regclass and attname = 'merchant_id') as found`;
      // Claims are closed to tenants altogether: the next test covers them.
      if (columns?.found && name !== 'settlement_claims')
        expect([name, (await tenant`select from ${tenant(name)} limit 1`).length]).toEqual([name, 0]);
    }
  });

  it('a login without a tenant sees nothing, and of wallets’ secrets and the audit chain not even the tables', async () => {
    const db = enterAs('tenant');
    for (const table of [
      'merchants',
      'payment_requests',
      'connections',
      'connection_tokens',
      'agent_tokens',
      'audit_events',
    ])
      expect([table, (await db`select from ${db(table)}`).length]).toEqual([table, 0]);
    for (const table of [
      'device_tokens',
      'wallet_codes',
      'pending_changes',
      'passkey_counters',
      'used_authorizations',
      'settlement_claims',
      'email_links',
      'audit_chain',
      'audit_chain_head',
      'audit_chain_queue',
      'suspended_domains',
    ])
      expect([table, await refusalOf(db`select from ${db(table)}`)]).toEqual([table, '42501']);
  });
});

describe('another start on the same database', () => {
  it('locks no table when there is nothing new to grant', async () => {
    const before = await service.db`select xmin::text from pg_policy order by oid`;
    await service.restart();
    expect(await service.db`select xmin::text from pg_policy order by oid`).toEqual(before);
  });

  it('with another master key works next to the first, whose logins go when no one uses them', async () => {
    const first = await serviceForTest();
    const { merchantId } = await verifiedMerchant(first);
    const key = randomBytes(32).toString('base64');
    const logins = async () =>
      (await first.db`select from pg_roles where rolname like ${`cs_${first.database.target.database}_%_k%`}`)
        .length;
    const second = await secondService(first, first.clock, {
      SVC_MASTER_KEY: key,
      SVC_MASTER_KEY_PREVIOUS: first.env['SVC_MASTER_KEY'],
    });
    expect(await logins()).toBe(4);
    expect((await second.call('GET', '/health')).status).toBe(200);
    expect(await first.context.db`select from merchants where merchant_id = ${merchantId}`).toHaveLength(1);
    // A process that does not know the new key yet must leave the logins of those who do.
    await first.restart();
    expect(await logins()).toBe(4);
    await second.end();
    await first.restart();
    expect(await logins()).toBe(2);
  });

  it('gives a login its own password again when someone changed it', async () => {
    const other = await serviceForTest();
    const role = loginName(other.database.target.database ?? '', 'service', other.context.keys.currentKeyId);
    await other.db.unsafe(`alter role ${role} password 'something else'`);
    await other.restart();
    expect((await other.call('GET', '/health')).body.privileges).toBe('separate');
    await signUp(other);
  });
});

describe('a role of DATABASE_URL that is no superuser', () => {
  /** A service process on an empty database that belongs to a plain role. */
  async function serviceOwnedBy(attributes: string) {
    const database = await createDatabase({ empty: true });
    const name = `owner_${randomBytes(4).toString('hex')}`;
    const admin = openDatabase(database.target, { pool: 1, name: 'test' });
    await admin.unsafe(`create role ${name} login ${attributes} password 'plain-password'`);
    await admin.unsafe(`alter database ${database.target.database} owner to ${name}`);
    const url = new URL(database.url);
    url.username = name;
    url.password = 'plain-password';
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-plain-'));
    const process = await startProcess({
      DATABASE_URL: url.href,
      SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      SVC_PORT: String(await freePort()),
      SVC_DATA_DIR: dataDir,
    });
    onTestFinished(async () => {
      await process.end();
      await admin.end();
      await database.drop();
      const last = openDatabase(inject('cluster'), { pool: 1 });
      await last.unsafe(`drop role ${name}`);
      await last.end();
      await rm(dataDir, { recursive: true });
    });
    return { process, admin };
  }

  it('makes the other roles when it may', async () => {
    const { process, admin } = await serviceOwnedBy('createrole');
    expect((await process.call('GET', '/health')).body.privileges).toBe('separate');
    const body = { email: 'owner@shop.example' };
    expect((await process.call('POST', '/v1/merchant-accounts/registrations', { body })).status).toBe(202);
    const users = await admin<{ name: string }[]>`
      select distinct usename::text as name from pg_stat_activity
      where datname = current_database() and application_name = ${SERVICE_SESSION}`;
    for (const { name } of users) expect(name).toMatch(/^cs_/);
  });

  it('does all the work itself when it may not, and reports that', async () => {
    const { process } = await serviceOwnedBy('');
    expect((await process.call('GET', '/health')).body.privileges).toBe('single');
    expect(process.output()).toMatch(/owns the tables and does all the work.*CREATEROLE/);
    const body = { email: 'owner@shop.example' };
    expect((await process.call('POST', '/v1/merchant-accounts/registrations', { body })).status).toBe(202);
  });
});
