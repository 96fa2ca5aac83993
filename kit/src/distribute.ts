import type { Database } from '../../server/src/db/open.ts';
import { quoted } from '../../server/src/db/roles/names.ts';
import { DISTRIBUTION_PLAN } from './distribution-plan.ts';

const CUT = 'merchant_id';
const [FIRST, ...OTHERS] = DISTRIBUTION_PLAN.group;

/**
 * Puts the tables of a migrated database where the plan says, on a coordinator that knows its workers. For tests that
 * show how much of the service works there. Row-level security, and the two functions that forget, are left as they are
 * and do not work on a distributed database.
 */
export async function distributeTables(db: Database, shards: number): Promise<void> {
  const connection = await db.reserve();
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await connection.unsafe(statement);
  };
  try {
    const sql = connection as unknown as Database;
    // Triggers that refuse do so on each shard, and read nothing else.
    await run(['set citus.enable_unsafe_triggers = on', `set citus.shard_count = ${shards}`]);
    await run(await keyStatements(sql));
    await run(await foreignKeyStatements(sql));
    await run(AUDIT_ROW_BY_ROW);
    await run(DISTRIBUTION_PLAN.reference.map((table) => `select create_reference_table('${table}')`));
    await run([`select create_distributed_table('${FIRST}', '${CUT}')`]);
    await run(
      OTHERS.map(
        (table) => `select create_distributed_table('${table}', '${CUT}', colocate_with := '${FIRST}')`,
      ),
    );
    // A table of the coordinator that has foreign keys to a reference table is managed by now.
    const managed = await managedTables(sql);
    await run(
      DISTRIBUTION_PLAN.coordinator
        .filter((table) => !managed.has(table))
        .map((table) => `select citus_add_local_table_to_metadata('${table}')`),
    );
    await run([LOG_FUNCTION, LOG_FUNCTION_PATH]);
  } finally {
    await connection.unsafe('reset all').catch(() => {});
    connection.release();
  }
}

async function managedTables(sql: Database): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid`;
  return new Set(rows.map(({ name }) => name));
}

/** Citus plans no statement with parameters inside of an SQL function. The search path keeps others' tables out. */
const LOG_FUNCTION = `create or replace function append_to_log(type text, at timestamptz, subjects text[], contents text[])
  returns void language plpgsql security definer as $$
  begin
    insert into log_queue (type, at, subject, content)
    select append_to_log.type, append_to_log.at, i.subject, i.content::json
    from unnest(append_to_log.subjects, append_to_log.contents) i(subject, content);
  end $$`;
const LOG_FUNCTION_PATH = `do $$ begin
  execute format('alter function append_to_log set search_path = %I, pg_temp', current_schema());
end $$`;

/** Only what contains the cut can be unique over all shards. A connection has one merchant, so it promises the same. */
async function keyStatements(sql: Database): Promise<string[]> {
  const rows = await sql<
    { table: string; index: string; definition: string; constraint: string | null; is_primary: boolean }[]
  >`
    select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as index,
           pg_get_indexdef(i.indexrelid) as definition, c.conname::text as constraint, i.indisprimary as is_primary
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
    where i.indisunique and i.indrelid = any(${[...DISTRIBUTION_PLAN.group]}::regclass[])
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

/** With one, every write to the group would wait for each write to the reference table. */
async function foreignKeyStatements(sql: Database): Promise<string[]> {
  const rows = await sql<{ table: string; name: string }[]>`
    select conrelid::regclass::text as table, conname::text as name from pg_constraint
    where contype = 'f' and conrelid = any(${[...DISTRIBUTION_PLAN.group]}::regclass[])`;
  return rows.map(({ table, name }) => `alter table ${table} drop constraint ${quoted(name)}`);
}

/** A statement on a table that Citus manages cannot read the rows that a trigger was called for. */
const AUDIT_ROW_BY_ROW = [
  'drop trigger audit_events_are_queued on audit_events',
  `create or replace function queue_audit_events() returns trigger language plpgsql as $$
    begin
      insert into audit_chain_queue values (new.audit_event_id);
      return null;
    end $$`,
  `create trigger audit_events_are_queued after insert on audit_events
    for each row execute function queue_audit_events()`,
];
