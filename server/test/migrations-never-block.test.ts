import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createDatabase } from '@payassent/proof/database/database';
import { framesOf, readStored } from '@payassent/proof/database/stored-database';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SQL_FOLDER } from '../src/context.ts';
import { migrate } from '../src/db/migrate.ts';
import { planMigrations, type Step, stepsOf } from '../src/db/migration-plan.ts';
import {
  isConcurrent,
  type Migration,
  NO_TRANSACTION,
  readMigrations,
  statementsIn,
} from '../src/db/migrations.ts';
import { type Database, openDatabase } from '../src/db/open.ts';
import { load } from '../src/maintenance/backup/load.ts';

const OLDEST = new URL('fixtures/schema-0008.jsonl', import.meta.url);
const OLDEST_SCHEMA = 8;

async function emptyDatabase(): Promise<Database> {
  const database = await createDatabase({ empty: true });
  const db = openDatabase(database.target, { pool: 1, patient: true });
  onTestFinished(async () => {
    await db.end();
    await database.drop();
  });
  return db;
}

async function oldestDatabase(): Promise<Database> {
  const db = await emptyDatabase();
  await load(db, framesOf(readStored(OLDEST)));
  return db;
}

/** Every migration in the form in which it was released. */
async function releasedFolder(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sql-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of (await readdir(SQL_FOLDER)).filter((name) => name.endsWith('.sql')))
    await cp(fileURLToPath(new URL(file, SQL_FOLDER)), join(folder, file));
  return pathToFileURL(`${folder}/`);
}

const migrationOf = (sql: string): Migration => ({ number: 1, name: '0001_a', sql, checksum: '' });
const stepsIn = (sql: string) => stepsOf([migrationOf(sql)], migrationOf(sql));

/** As many rows as there are organizations, their members, payees and settings, or fewer. */
const SMALL = [
  'api_keys',
  'automation_policies',
  'connect_invitations',
  'connection_revocations',
  'domains',
  'mail_jobs',
  'merchant_operators',
  'merchant_sessions',
  'merchants',
  'operator_passkeys',
  'recipient_evidence',
  'recipient_recalls',
  'recipient_versions',
  'recipients',
  'session_grants',
  'signing_keys',
  'webhook_endpoints',
];
/** Passes over rows that nothing makes: they find none, so they hold none. */
const FINDS_NONE = '0042_merchants_filled_in';
/** From this one on a migration holds no call back, on no table. */
const FIRST_STRICT = 56;

describe('no migration holds calls back for long', () => {
  it('on a table that grows with calls, whatever schema it begins with', async () => {
    const migrations = await readMigrations(SQL_FOLDER);
    const holding = migrations
      .filter(({ number }) => number > OLDEST_SCHEMA)
      .flatMap((migration) =>
        stepsOf(migrations, migration)
          .filter(({ kind }) => kind === 'blocks' || (kind === 'rows' && migration.name !== FINDS_NONE))
          .flatMap(({ kind, tables }) => tables.map((table) => `${migration.name} ${kind} ${table}`)),
      );
    const isSmall = (line: string) => SMALL.some((table) => line.endsWith(` ${table}`));
    expect(holding.filter((line) => !isSmall(line) || Number(line.slice(0, 4)) >= FIRST_STRICT)).toEqual([]);
    expect(holding.length).toBeGreaterThan(0);
  });

  it.each([
    ['alter table a add column x int', 'catalogue'],
    ["alter table a add column x text not null default 'x'", 'catalogue'],
    ['alter table a add column x uuid default gen_random_uuid()', 'blocks'],
    ['alter table a add column x text check (x > 1)', 'blocks'],
    ['alter table a add constraint c check (x > 1)', 'blocks'],
    ['alter table a add constraint c check (x > 1) not valid', 'catalogue'],
    ['alter table a add column x int, add constraint c check (x > 1)', 'blocks'],
    ['alter table a validate constraint c', 'builds'],
    ['alter table a add primary key (x)', 'blocks'],
    ['alter table a add constraint p primary key using index i', 'catalogue'],
    ['alter table a add constraint f foreign key (x) references b', 'blocks'],
    ['alter table a alter column x set not null', 'blocks'],
    ['alter table a alter column x type bigint', 'blocks'],
    ['alter table a alter column x set not null, drop constraint c', 'blocks'],
    ['alter table a set unlogged', 'blocks'],
    ['create index i on a (x)', 'blocks'],
    ['create unique index i on a (x)', 'blocks'],
    ['-- no transaction\ncreate index concurrently i on a (x)', 'builds'],
    ['create trigger t before update on a for each row execute function f()', 'catalogue'],
    ['update a set x = 1', 'rows'],
    ['delete from a where x = 1', 'rows'],
    ['vacuum full a', 'blocks'],
    ['cluster a', 'blocks'],
    ['truncate a', 'blocks'],
    ['do $$ begin update a set x = 1; end $$', 'rows'],
    ['-- no transaction\ndo $$ begin loop update a set x = 1; commit; end loop; end $$', 'batches'],
  ])('%s: %s', (sql, kind) => {
    expect(stepsIn(`${sql};`).map((step) => step.kind)).toEqual([kind]);
  });

  it('and what it does to rows while it has a lock counts as held back', () => {
    expect(stepsIn('alter table a add column x int;\nupdate b set y = 1;')).toEqual([
      { kind: 'catalogue', tables: ['a'] },
      { kind: 'blocks', tables: ['a'] },
    ]);
    expect(stepsIn('create table a (x int);\ncreate index i on a (x);\nupdate a set x = 1;')).toEqual([]);
  });
});

interface Table {
  name: string;
  /** Rows that this connection has read or written, as far as its statistics are its own still. */
  touched: number;
  is_locked: boolean;
}

/** Which tables the open transaction has locked against calls. */
function tablesOf(db: Database): Promise<Table[]> {
  return db<Table[]>`
    select c.relname::text as name,
           (pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_updated(c.oid))::float8 as touched,
           exists (
             select from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid() and l.granted
               and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
           ) as is_locked
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`;
}

describe('a database that is upgraded from the oldest schema', () => {
  it('is locked as planned, and no table is read or written under a lock that is planned as short', async () => {
    const migrations = await readMigrations(SQL_FOLDER);
    const db = await oldestDatabase();
    const wrong: string[] = [];
    const right: string[] = [];
    const inTransaction = async (migration: Migration, sql: string, there: readonly Table[]) => {
      await db.unsafe('begin');
      const before = await tablesOf(db);
      await db.unsafe(sql);
      const after = await tablesOf(db);
      await db.unsafe('commit');
      const declared = stepsOf(migrations, migration);
      const says = (table: string, ...kinds: Step['kind'][]) =>
        declared.some(({ kind, tables }) => kinds.includes(kind) && tables.includes(table));
      for (const { name, touched } of after.filter((table) => table.is_locked)) {
        if (!there.some((table) => table.name === name)) continue;
        (says(name, 'catalogue', 'blocks') ? right : wrong).push(`${migration.name} locks ${name}`);
        if (touched > (before.find((table) => table.name === name)?.touched ?? 0))
          (says(name, 'blocks', 'rows') ? right : wrong).push(
            `${migration.name} reads ${name} under its lock`,
          );
      }
    };
    for (const migration of migrations.slice(OLDEST_SCHEMA)) {
      if (!NO_TRANSACTION.test(migration.sql)) {
        await inTransaction(migration, migration.sql, await tablesOf(db));
        continue;
      }
      const there = await tablesOf(db);
      for (const statement of statementsIn(migration.sql)) {
        const alone = { ...migration, sql: `-- no transaction\n${statement};` };
        if (isConcurrent(statement) || stepsOf(migrations, alone).some(({ kind }) => kind === 'batches'))
          await db.unsafe(statement);
        else await inTransaction(migration, statement, there);
      }
    }
    expect(wrong).toEqual([]);
    expect(right).toContain('0011_request_ids locks payment_requests');
    expect(right).toContain('0015_payee_standing reads recipient_versions under its lock');
  });

  it('has the same tables, indexes, triggers and rows as one that ran every migration in its released form', async () => {
    const [now, before] = [await oldestDatabase(), await oldestDatabase()];
    const folder = await releasedFolder();
    await migrate(before, folder);
    await migrate(now, SQL_FOLDER);
    expect(await schemaOf(now)).toEqual(await schemaOf(before));
    expect(await rowsOf(now)).toEqual(await rowsOf(before));
    // Each form of the migrations accepts the other's database as up to date.
    expect((await migrate(now, folder)).applied).toEqual([]);
    expect((await migrate(before, SQL_FOLDER)).applied).toEqual([]);
  });

  it('comes to the same when every migration is begun again after its end', async () => {
    const [twice, once] = [await oldestDatabase(), await oldestDatabase()];
    for (const { number, sql } of (await readMigrations(SQL_FOLDER)).slice(OLDEST_SCHEMA)) {
      await migrate(twice, SQL_FOLDER, number);
      if (!NO_TRANSACTION.test(sql)) continue;
      await twice`delete from schema_migrations where number = ${number}`;
      await migrate(twice, SQL_FOLDER, number);
    }
    await migrate(once, SQL_FOLDER);
    expect(await schemaOf(twice)).toEqual(await schemaOf(once));
    expect(await rowsOf(twice)).toEqual(await rowsOf(once));
  });

  it('lists beforehand which tables are locked, read or changed, and is not changed by that', async () => {
    const db = await oldestDatabase();
    await db`analyze`;
    const plan = await planMigrations(db, SQL_FOLDER);
    expect(plan).toMatchObject({ schema: OLDEST_SCHEMA, newest: (await readMigrations(SQL_FOLDER)).length });
    const [requests] = await db<{ rows: number }[]>`select count(*)::float8 as rows from payment_requests`;
    const step = plan.pending.find(({ name }) => name === '0011_request_ids')?.steps;
    expect(step?.map(({ kind, tables }) => [kind, tables.map(({ name }) => name)])).toEqual([
      ['catalogue', ['payment_requests', 'payment_request_events']],
      ['builds', ['payment_requests', 'payment_request_events']],
    ]);
    expect(step?.[0]?.tables[0]).toMatchObject({ rows: requests?.rows });
    expect(await planMigrations(db, SQL_FOLDER)).toEqual(plan);
    await migrate(db, SQL_FOLDER);
    expect((await planMigrations(db, SQL_FOLDER)).pending).toEqual([]);
  });
});

/** Names of constraints and indexes included: a later migration refers to them by name. */
async function schemaOf(db: Database): Promise<string[]> {
  const rows = await db<{ line: string }[]>`
    select 'column ' || table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
      || coalesce(column_default, '') as line
    from information_schema.columns where table_schema = current_schema()
    union all select 'index ' || indexdef from pg_indexes where schemaname = current_schema()
    union all select 'valid ' || indexrelid::regclass || ' ' || indisvalid from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = current_schema()::regnamespace
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = current_schema()::regnamespace
    union all select 'trigger ' || pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    union all select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace
    union all select 'options ' || relname || ' ' || coalesce(reloptions::text, '') from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'i')
    order by 1`;
  return rows.map(({ line }) => line);
}

/** What is drawn by lot, or is the moment of the upgrade, in each. */
const OWN: Readonly<Record<string, string[]>> = {
  schema_migrations: ['applied_at'],
  wallet_pseudonym_key: ['key'],
  tenant_seal: ['key'],
  merchant_standings: ['version'],
  audit_events: ['actor_id'],
  domains: ['check_at'],
  recipients: ['updated_at'],
  recipient_versions: ['suspended_at'],
  pending_requests: ['written_by'],
  log_queue: ['at', 'salt'],
};

async function rowsOf(db: Database): Promise<Record<string, string[]>> {
  const tables = await db<{ name: string }[]>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`;
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await db.unsafe<{ row: string }[]>(
      `select (to_jsonb(t) - '{${(OWN[name] ?? []).join(',')}}'::text[])::text as row from "${name}" t order by 1`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
