import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createDatabase } from '@payassent/proof/database/database';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isUnavailable } from './faults.ts';
import { migrate, migrationState, SchemaChangedError, SchemaTooNewError, schemaLevel } from './migrate.ts';
import { openDatabase } from './open.ts';

async function workshop(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sql-'));
  const database = await createDatabase({ empty: true });
  const db = openDatabase(database.target, { pool: 4 });
  onTestFinished(async () => {
    await db.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const write = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(folder, name), text);
  };
  await write(files);
  return { db, write, url: pathToFileURL(`${folder}/`), target: database.target };
}

describe('migrations', () => {
  it('have all the time they need but give way to locks, and leave the connection with its limits', async () => {
    const { db, url } = await workshop({
      '0001_a.sql':
        "create table a as select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l",
    });
    await migrate(db, url);
    expect([...(await db`select s, l from a`)]).toEqual([{ s: '0', l: '500ms' }]);
    const limits = await Promise.all(Array.from({ length: 4 }, () => db`show statement_timeout`));
    expect(limits.flat()).toEqual(limits.map(() => ({ statement_timeout: '15s' })));
  });

  it('hold no call back while they wait for a table, and continue when it is free', async () => {
    const { db, url, write, target } = await workshop({ '0001_a.sql': 'create table a (x int)' });
    await migrate(db, url);
    const [reader, caller] = [openDatabase(target, { pool: 1 }), openDatabase(target, { pool: 1 })];
    await reader.unsafe('begin');
    await reader`select from a`;
    await write({ '0002_b.sql': 'alter table a add column y int' });
    const migrated = migrate(db, url);
    const waitsMs: number[] = [];
    while (waitsMs.length < 20) {
      const startMs = performance.now();
      await caller`select from a`;
      waitsMs.push(performance.now() - startMs);
      await pause(100);
    }
    // Some of them met the migration while it waited; a lock wait lasts at most half a second.
    expect(Math.max(...waitsMs)).toBeGreaterThan(100);
    expect(Math.max(...waitsMs)).toBeLessThan(2_500);
    await reader.unsafe('commit');
    expect((await migrated).applied).toEqual(['0002_b']);
    await Promise.all([reader.end(), caller.end()]);
  });

  it('let what is like an automatic vacuum end before they request its table again', async () => {
    const { db, url, write, target } = await workshop({ '0001_a.sql': 'create table a (x int)' });
    await migrate(db, url);
    const vacuum = openDatabase(target, { pool: 1 });
    await vacuum.unsafe('begin; lock table a in share update exclusive mode');
    await write({ '0002_b.sql': 'alter table a add column y int' });
    const migrated = migrate(db, url);
    // It waits longer than `deadlock_timeout`, after which PostgreSQL would end an automatic vacuum.
    await expect
      .poll(
        () => vacuum`
          select from pg_locks where mode = 'ShareUpdateExclusiveLock' and not granted
            and waitstart < clock_timestamp() - interval '1 second'`,
      )
      .toHaveLength(1);
    await vacuum.unsafe('commit');
    expect((await migrated).applied).toEqual(['0002_b']);
    await vacuum.end();
  });

  it('apply in order, once, and twenty at a time leave one result', async () => {
    const { db, url, write, target } = await workshop({
      '0001_a.sql': 'create table a (x int)',
      '0002_b.sql': 'insert into a values (1)',
    });
    const others = Array.from({ length: 20 }, () => openDatabase(target, { pool: 1 }));
    const results = await Promise.all(others.map((other) => migrate(other, url)));
    await Promise.all(others.map((other) => other.end()));
    // Each once, in their order; not necessarily both by the same process.
    expect(results.flatMap((result) => result.applied).toSorted()).toEqual(['0001_a', '0002_b']);
    expect(await db`select x from a`).toHaveLength(1);
    await write({ '0003_c.sql': 'insert into a values (2)' });
    expect((await migrate(db, url)).applied).toEqual(['0003_c']);
    expect(await schemaLevel(db)).toBe(3);
  });

  it('that another process has made since are seen, also by a transaction that is older', async () => {
    const { db, url, target } = await workshop({ '0001_a.sql': 'create table a (x int)' });
    const late = openDatabase(target, { pool: 1 });
    expect((await migrationState(late, url)).missing).toBe('0001_a');
    await late.unsafe('begin');
    await migrate(db, url);
    expect((await migrationState(late, url)).missing).toBeUndefined();
    await late.unsafe('commit');
    await late.end();
  });

  it('marked "no transaction" run statement by statement, once, however many processes start', async () => {
    const { db, url, target } = await workshop({
      '0001_a.sql': 'create table a (x int)',
      '0002_b.sql':
        '-- no transaction: an index that is built while calls go on\ndrop index concurrently if exists a_x;\ncreate index concurrently a_x on a (x);\n',
      '0003_c.sql': 'insert into a values (1)',
    });
    const others = Array.from({ length: 6 }, () => openDatabase(target, { pool: 1 }));
    const results = await Promise.all(others.map((other) => migrate(other, url)));
    await Promise.all(others.map((other) => other.end()));
    expect(results.flatMap((result) => result.applied).sort()).toEqual(['0001_a', '0002_b', '0003_c']);
    expect(await db`select from pg_index where indexrelid = 'a_x'::regclass and indisvalid`).toHaveLength(1);
  });

  it('leave no lock behind when their connection ends between two statements', async () => {
    const { db, url, target } = await workshop({
      '0001_a.sql': 'select pg_terminate_backend(pg_backend_pid())',
    });
    const lost = openDatabase(target, { pool: 1 });
    await expect(migrate(lost, url)).rejects.toSatisfy(isUnavailable);
    await lost.end();
    const locks = await db`
      select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`;
    expect(locks).toHaveLength(0);
  });

  it('that are released are never edited', () => {
    const folder = new URL('../../sql/', import.meta.url);
    const released = readFileSync(new URL('RELEASED.sha256', folder), 'utf8').trim().split('\n');
    const digestOf = (name: string) =>
      createHash('sha256')
        .update(readFileSync(new URL(name, folder)))
        .digest('hex');
    const changed = released.filter((line) => {
      const [digest, name = ''] = line.split('  ');
      return digestOf(name) !== digest;
    });
    expect(released).toHaveLength(46);
    expect(changed).toEqual([]);
  });

  it('a failing one leaves nothing behind and can be fixed', async () => {
    const { db, url, write } = await workshop({ '0001_a.sql': 'create table a (x int); select 1 / 0' });
    await expect(migrate(db, url)).rejects.toThrow(/division by zero/);
    await write({ '0001_a.sql': 'create table a (x int)' });
    expect((await migrate(db, url)).applied).toEqual(['0001_a']);
  });

  it('refuse a schema that is newer than the code', async () => {
    const { db, url, write } = await workshop({ '0001_a.sql': 'create table a (x int)' });
    await migrate(db, url);
    await db`insert into schema_migrations (number, name, checksum) values (2, '0002_later', 'x')`;
    await expect(migrate(db, url)).rejects.toThrow(SchemaTooNewError);
    await write({});
  });

  it('refuse a database that was made with another form of a migration', async () => {
    const { db, url, write } = await workshop({ '0001_a.sql': 'create table a (x int)' });
    await migrate(db, url);
    await write({ '0001_a.sql': 'create table a (x int, y int)' });
    await expect(migrate(db, url)).rejects.toThrow(SchemaChangedError);
  });

  it('refuse a gap in their numbers', async () => {
    const { db, url } = await workshop({ '0002_b.sql': 'select 1' });
    await expect(migrate(db, url)).rejects.toThrow(/out of order/);
  });
});
