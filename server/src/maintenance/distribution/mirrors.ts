import { MIRROR } from '../../db/mirror.ts';
import type { Database } from '../../db/open.ts';
import { quoted } from '../../db/roles/names.ts';

/**
 * A copy of the table whose rows lie on the machines of their merchants, and what keeps it up to date in the transaction
 * of each change. The write happens in a function of its own: directly in the trigger of a statement outside of a
 * transaction block, Citus would commit it at once.
 */
export async function mirrorStatements(
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
  // One by one: a row as a whole would have a type that the other machines do not know.
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
