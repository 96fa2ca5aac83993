import { MIRROR, MIRRORED } from '../../db/mirror.ts';
import type { Database } from '../../db/open.ts';
import { quoted } from '../../db/roles/names.ts';
import type { Connection } from '../partitions/connection.ts';
import { functionStatements, routingStatements } from './functions.ts';
import { DISTRIBUTION_PLAN } from './plan.ts';

const CUT = 'merchant_id';
const [FIRST] = DISTRIBUTION_PLAN.group;
/** With the outbox of the log. */
const ALL = DISTRIBUTION_PLAN.group.length + 1 + MIRRORED.length;

/** Places the tables according to the plan. The connection is in a transaction, which each step is part of. */
export async function placeTables(
  connection: Connection,
  shards: number,
  tell: (table: string, done: number, tables: number) => void,
): Promise<void> {
  const sql = connection as unknown as Database;
  const run = (statements: readonly string[]) => runAll(connection, statements);
  let done = 0;
  const place = async (table: string) => {
    tell(table, done, ALL);
    await run([placement(table)]);
    done += 1;
  };
  await run(SETTINGS);
  await run([`set local citus.shard_count = ${shards}`]);
  await run(await preparation(sql, DISTRIBUTION_PLAN.group));
  for (const table of DISTRIBUTION_PLAN.group) await place(table);
  await run([OUTBOX]);
  await place('log_outbox');
  await run(COMMITS);
  await run(STANDINGS);
  await run([`create schema if not exists ${MIRROR}`]);
  for (const table of MIRRORED) {
    const { creation, upkeep } = await mirrorStatements(sql, table);
    await run(creation);
    await place(`${MIRROR}.${table}`);
    await run(upkeep);
  }
  await run([...functionStatements(), ...routingStatements(FIRST)]);
  await run(DISTRIBUTION_PLAN.group.map(removal));
}

/** The same for tables that an earlier release left on the coordinator. */
export async function placeLeftTables(
  connection: Connection,
  tables: readonly string[],
  tell: (table: string, done: number, tables: number) => void,
): Promise<void> {
  await runAll(connection, SETTINGS);
  await runAll(connection, await preparation(connection as unknown as Database, tables));
  for (const [done, table] of tables.entries()) {
    tell(table, done, tables.length);
    await runAll(connection, [placement(table)]);
  }
  await runAll(connection, tables.map(removal));
}

async function runAll(connection: Connection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.unsafe(statement);
}

const SETTINGS = [
  // One connection to each node, so that a statement sees the changes of an earlier one.
  `set local citus.multi_shard_modify_mode = 'sequential'`,
  // Triggers that reject do so on each shard, and read nothing else.
  'set local citus.enable_unsafe_triggers = on',
];

async function preparation(sql: Database, tables: readonly string[]): Promise<string[]> {
  return [
    ...(await keyStatements(sql, tables)),
    ...(await foreignKeyStatements(sql, tables)),
    ...(await policyStatements(sql, tables)),
    ...FOR_FORMER_PROCESSES,
    ...WRITERS.filter(([table]) => tables.includes(table)).flatMap(([table, name]) => [
      `alter table ${table} alter column written_by set default '0'`,
      `create or replace trigger ${name} before insert on ${table} for each row
         when (new.written_by = '0') execute function note_writer()`,
    ]),
  ];
}

/** Colocated with the first one, which decides how many shards there are. */
function placement(table: string): string {
  const colocation = table === FIRST ? '' : `, colocate_with := '${FIRST}'`;
  return `select create_distributed_table('${table}', '${CUT}'${colocation})`;
}

/** Citus copies rows and leaves the previous ones in place, invisible. */
function removal(table: string): string {
  return `select truncate_local_data_after_distributing_table('${table}')`;
}

/**
 * Only keys that contain the distribution column can be unique over all shards. A connection has one merchant, so the
 * guarantee is the same.
 */
async function keyStatements(sql: Database, tables: readonly string[]): Promise<string[]> {
  const rows = await sql<
    { table: string; index: string; definition: string; constraint: string | null; is_primary: boolean }[]
  >`
    select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as index,
           pg_get_indexdef(i.indexrelid) as definition, c.conname::text as constraint, i.indisprimary as is_primary
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
    where i.indisunique and i.indrelid = any(${[...tables]}::regclass[])
      and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = ${CUT}
                        and a.attnum = any(i.indkey::int2[]))`;
  return rows.flatMap(({ table, index, definition, constraint, is_primary }) => {
    const wider = definition.replace('(', `(${CUT}, `);
    return [
      constraint === null
        ? `drop index ${index}`
        : `alter table ${table} drop constraint ${quoted(constraint)}`,
      is_primary ? `alter table ${table} add primary key ${wider.slice(wider.indexOf('('))}` : wider,
    ];
  });
}

/** A foreign key cannot cross from the group to the coordinator or back. */
async function foreignKeyStatements(sql: Database, tables: readonly string[]): Promise<string[]> {
  const group = [...tables];
  const rows = await sql<{ table: string; name: string }[]>`
    select conrelid::regclass::text as table, conname::text as name from pg_constraint
    where contype = 'f' and (conrelid = any(${group}::regclass[]) or confrelid = any(${group}::regclass[]))`;
  return rows.map(({ table, name }) => `alter table ${table} drop constraint ${quoted(name)}`);
}

/** Citus rejects policies that read other tables. Without one, a role other than the owner sees no row. */
async function policyStatements(sql: Database, tables: readonly string[]): Promise<string[]> {
  const rows = await sql<{ table: string; name: string }[]>`
    select polrelid::regclass::text as table, polname::text as name from pg_policy
    where polrelid = any(${[...tables]}::regclass[])`;
  return rows.map(({ table, name }) => `drop policy ${quoted(name)} on ${table}`);
}

/** What is numbered by the transaction that writes it has to take the number on the node that stores it. */
const WRITERS = [
  ['payment_requests', 'payment_request_writer'],
  ['pending_requests', 'pending_request_writer'],
] as const;

/** Objects for processes of an earlier version: none of them works on a distributed database. */
const FOR_FORMER_PROCESSES = [
  'drop trigger if exists connection_heads_have_a_merchant on connection_heads',
  'drop trigger if exists agent_payment_heads_have_a_merchant on agent_payment_heads',
  'drop trigger if exists transaction_contexts_have_a_merchant on transaction_contexts',
  'drop trigger if exists payment_requests_are_listed on payment_requests',
  'drop trigger if exists payment_requests_are_listed_anew on payment_requests',
];

/**
 * A transaction that writes to an ordinary table and to a worker commits in two steps that a crash can separate, unless
 * it also writes to a table of the coordinator that Citus manages: a statement that changes no row is enough.
 */
const COMMITS = [
  'create table if not exists distributed_commits (n int)',
  `select citus_add_local_table_to_metadata('distributed_commits')`,
];

/** A node's additions to the transparency log; the coordinator's job takes them from there. */
const OUTBOX = `create table if not exists log_outbox (
  merchant_id id          not null,
  entry_id    text        not null,
  type        text        not null,
  at          timestamptz not null,
  subject     text        not null,
  content     text        not null,
  salt        bytea       not null,
  primary key (merchant_id, entry_id)
)`;

const STANDINGS = [
  'set citus.enable_ddl_propagation = off',
  `create or replace function write_standing(merchant id) returns void language plpgsql as $$
  declare
    fresh uuid := gen_random_uuid();
    renewed text := coalesce(nullif(current_setting('svc.renewed', true), ''), ' ');
  begin
    -- Once in a transaction is enough: no one sees a version before it is committed.
    if strpos(renewed, ' ' || merchant || ' ') > 0 then
      return;
    end if;
    perform set_config('svc.renewed', renewed || merchant || ' ', true);
    delete from distributed_commits where false;
    update merchant_standings s set version = fresh where s.merchant_id = merchant;
  end $$`,
  `create or replace function renew_standing() returns trigger language plpgsql security invoker as $$
  begin
    perform write_standing(case when tg_op = 'DELETE' then old.merchant_id else new.merchant_id end);
    return null;
  end $$`,
  `create or replace function add_standing(merchant id) returns void language plpgsql as $$
  begin
    delete from distributed_commits where false;
    insert into merchant_standings (merchant_id, version) values (merchant, gen_random_uuid()) on conflict do nothing;
  end $$`,
  `create or replace function begin_standing() returns trigger language plpgsql security invoker as $$
  begin
    perform add_standing(new.merchant_id);
    return null;
  end $$`,
  `create or replace function hold_standings(merchants text[]) returns void language plpgsql security invoker as $$
  declare merchant text;
  begin
    foreach merchant in array array(select unnest(merchants) order by 1) loop
      perform from merchant_standings s where s.merchant_id = merchant::id for no key update;
    end loop;
  end $$`,
  'set citus.enable_ddl_propagation = on',
];

/**
 * A copy of the table whose rows are on the nodes of their merchants, and what keeps it up to date in the transaction
 * of each change. The write happens in a separate function: directly in the trigger of a statement outside of a
 * transaction block, Citus would commit it immediately.
 */
async function mirrorStatements(
  sql: Database,
  table: string,
): Promise<{ creation: string[]; upkeep: string[] }> {
  const columns = await sql<{ name: string; type: string; is_key: boolean }[]>`
    select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
           exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary
                     and a.attnum = any(i.indkey::int2[])) as is_key
    from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`;
  const names = columns.map(({ name }) => quoted(name));
  const key = [...new Set(['merchant_id', ...columns.filter((c) => c.is_key).map((c) => c.name)])].map(
    quoted,
  );
  const others = names.filter((name) => !key.includes(name));
  const mirror = `${MIRROR}.${table}`;
  // One by one: a whole row would have a type that the other nodes do not know.
  const parameterOf = (name: string) => `value_${names.indexOf(name) + 1}`;
  const parameters = columns.map(({ name, type }) => `${parameterOf(quoted(name))} ${type}`).join(', ');
  const values = names.map(parameterOf).join(', ');
  const of = (row: 'old' | 'new') => names.map((name) => `${row}.${name}`).join(', ');
  return {
    creation: [
      `create table if not exists ${mirror} (like ${table})`,
      ...columns
        .filter(({ is_key }) => !is_key)
        .map(({ name }) => `alter table ${mirror} alter column ${quoted(name)} drop not null`),
      `alter table ${mirror} add primary key (${key.join(', ')})`,
    ],
    upkeep: [
      `insert into ${mirror} select * from ${table}`,
      'set citus.enable_ddl_propagation = off',
      `create or replace function write_mirror_of_${table}(is_gone boolean, ${parameters}) returns void
       language plpgsql as $$
       begin
         delete from distributed_commits where false;
         if is_gone then
           delete from ${mirror} m where ${key.map((name) => `m.${name} = ${parameterOf(name)}`).join(' and ')};
         else
           -- As those who change the row itself do: a create holds its connection with a lock that an update would pass by.
           perform from ${mirror} m where ${key.map((name) => `m.${name} = ${parameterOf(name)}`).join(' and ')} for update;
           insert into ${mirror} (${names.join(', ')}) values (${values})
           on conflict (${key.join(', ')}) do update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')};
         end if;
       end $$`,
      `create or replace function mirror_${table}() returns trigger language plpgsql as $$
       begin
         if tg_op = 'DELETE' then perform write_mirror_of_${table}(true, ${of('old')});
         else perform write_mirror_of_${table}(false, ${of('new')}); end if;
         return null;
       end $$`,
      `create trigger ${table}_are_mirrored after insert or delete on ${table}
         for each row execute function mirror_${table}()`,
      `create trigger ${table}_changes_are_mirrored after update on ${table}
         for each row when (old.* is distinct from new.*) execute function mirror_${table}()`,
      'set citus.enable_ddl_propagation = on',
    ],
  };
}
