import { quoted } from '../../db/roles/names.ts';
import type { Connection } from './connection.ts';
import type { Cut } from './cut.ts';

/** A table as the catalogue describes it, with the statements that recreate its parts. */
export interface TableShape {
  table: string;
  isPartitioned: boolean;
  partitions: number;
  columns: string[];
  key: KeyColumn[];
  indexes: Index[];
  /** Definitions of triggers, and of functions that name the table. */
  triggers: string[];
  functions: string[];
  options: string[];
  /** The planner's estimate. */
  rows: number;
}

interface KeyColumn {
  name: string;
  type: string;
}

interface Index {
  name: string;
  definition: string;
  is_primary: boolean;
  is_unique: boolean;
  columns: string[];
}

export async function readShape(connection: Connection, table: string): Promise<TableShape> {
  const [row] = await connection<
    (Omit<TableShape, 'isPartitioned' | 'indexes' | 'key'> & { kind: string })[]
  >`
    select ${table}::text as table, c.relkind::text as kind, coalesce(c.reloptions, '{}') as options,
      greatest(c.reltuples, 0)::bigint as rows,
      (select count(*)::int from pg_inherits i where i.inhparent = c.oid) as partitions,
      array(select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
      array(select pg_get_triggerdef(t.oid) from pg_trigger t
            where t.tgrelid = c.oid and not t.tgisinternal and t.tgname <> ${SYNC_TRIGGER} order by t.tgname) as triggers,
      array(select distinct pg_get_functiondef(f.oid) from pg_depend d join pg_proc f on f.oid = d.objid
            where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_class'::regclass
              and d.refobjid = c.oid) as functions
    from pg_class c where c.oid = to_regclass(${table})`;
  if (!row) throw new Error(`There is no table ${table}.`);
  const indexes = await connection<Index[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
           i.indisprimary as is_primary, i.indisunique as is_unique,
           array(select a.attname::text from pg_attribute a
                 where a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])) as columns
    from pg_index i where i.indrelid = to_regclass(${table}) order by i.indexrelid`;
  const key = await connection<KeyColumn[]>`
    select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indrelid = to_regclass(${table}) and i.indisprimary
    order by k.place`;
  const { kind, ...rest } = row;
  return { ...rest, isPartitioned: kind === 'p', indexes: [...indexes], key: [...key] };
}

/** What a copy must match: unchanged as long as nothing was migrated. */
export function fingerprintOf({ columns, indexes }: TableShape): string {
  return JSON.stringify([columns, indexes.map(({ definition }) => definition)]);
}

/** The partitioned table while it is being filled. */
export const copyOf = (table: string) => `${table}_copy`;
const FORMER = 'former';
const SYNC_TRIGGER = 'keep_the_copy';

/** An empty partitioned table with the indexes of the other, and a trigger that mirrors every write to it. */
export function creationOf(shape: TableShape, cut: Cut): string[] {
  const copy = copyOf(shape.table);
  const options = shape.options.length > 0 ? ` with (${shape.options.join(', ')})` : '';
  return [
    `create table ${copy} (like ${shape.table} including defaults including constraints including generated
      including identity including storage including comments) partition by ${cut.kind} (${cut.column})`,
    ...cut.partitions.map(
      ({ name, bounds }) => `create table ${name} partition of ${copy} ${bounds}${options}`,
    ),
    ...shape.indexes.map((index) => indexOn(copy, index, cut)),
    ...syncOf(shape, cut),
  ];
}

/**
 * A unique index must contain the partition key; a connection has one merchant forever, so the guarantee is the same.
 */
function indexOn(copy: string, index: Index, { column }: Cut): string {
  const uses = index.definition.slice(index.definition.indexOf(' USING '));
  const isWithout = index.is_unique && !index.columns.includes(column);
  const columns = isWithout ? uses.replace('(', `(${column}, `) : uses;
  if (index.is_primary) {
    const list = columns.slice(columns.indexOf('('));
    return `alter table ${copy} add constraint ${quoted(`${index.name}_copy`)} primary key ${list}`;
  }
  return `create ${index.is_unique ? 'unique ' : ''}index ${quoted(`${index.name}_copy`)} on ${copy}${columns}`;
}

function syncOf({ table, columns, key }: TableShape, { column }: Cut): string[] {
  const list = columns.map(quoted).join(', ');
  const names = key.map(({ name }) => name);
  const target = names.includes(column) ? names : [column, ...names];
  const changeable = columns.filter((name) => !target.includes(name)).map(quoted);
  const values = (names: readonly string[], row: 'old' | 'new') =>
    names.map((name) => `${row}.${quoted(name)}`).join(', ');
  return [
    `create function ${SYNC_TRIGGER}_of_${table}() returns trigger language plpgsql security definer as $sync$
      begin
        if tg_op = 'DELETE' then
          delete from ${copyOf(table)} where (${target.map(quoted).join(', ')}) = (${values(target, 'old')});
          return null;
        end if;
        insert into ${copyOf(table)} (${list}) values (${values(columns, 'new')})
        on conflict (${target.map(quoted).join(', ')}) do update
          set (${changeable.join(', ')}) = row(${changeable.map((name) => `excluded.${name}`).join(', ')});
        return null;
      end $sync$`,
    `do $$ begin
      execute format('alter function ${SYNC_TRIGGER}_of_${table}() set search_path = %I, pg_temp', current_schema());
    end $$`,
    `create trigger ${SYNC_TRIGGER} after insert or update or delete on ${table}
      for each row execute function ${SYNC_TRIGGER}_of_${table}()`,
  ];
}

/** Drops a copy that was not switched to. */
export function removalOf(table: string): string[] {
  return [
    `drop trigger if exists ${SYNC_TRIGGER} on ${table}`,
    `drop function if exists ${SYNC_TRIGGER}_of_${table}()`,
    `drop table if exists ${copyOf(table)}`,
  ];
}

/**
 * The copy takes over the names of the table and its indexes, and its triggers; functions that name the table refer to
 * it again.
 */
export function switchOf(shape: TableShape): string[] {
  const { table } = shape;
  const former = `${table}_${FORMER}`;
  return [
    `drop trigger ${SYNC_TRIGGER} on ${table}`,
    `drop function ${SYNC_TRIGGER}_of_${table}()`,
    `alter table ${table} rename to ${former}`,
    ...shape.indexes.map(
      ({ name }) => `alter index ${quoted(name)} rename to ${quoted(`${name}_${FORMER}`)}`,
    ),
    `alter table ${copyOf(table)} rename to ${table}`,
    ...shape.indexes.map(({ name }) => `alter index ${quoted(`${name}_copy`)} rename to ${quoted(name)}`),
    ...shape.triggers,
    ...shape.functions,
    `drop table ${former}`,
  ];
}
