import type { Database } from '../../db/open.ts';

interface Thing {
  kind: 'table' | 'routine' | 'type';
  name: string;
}

/** Work on an empty database. When it fails, everything it created is removed, and what was there before stays. */
export async function leavingNothing<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const before = new Set((await thingsIn(db)).map(({ name }) => name));
  try {
    return await work();
  } catch (error) {
    // A database that is lost meanwhile keeps it; the next try reports that it is not empty.
    await dropOthers(db, before).catch(() => {});
    throw error;
  }
}

async function dropOthers(db: Database, kept: ReadonlySet<string>): Promise<void> {
  const made = (await thingsIn(db)).filter(({ name }) => !kept.has(name));
  const drops = made.map(({ kind, name }) => `drop ${kind} if exists ${name} cascade`);
  if (drops.length > 0) await db.unsafe(['begin', ...drops, 'commit'].join('; '));
}

/** Without what belongs to an extension, and without what is dropped with its table. */
function thingsIn(db: Database): Promise<Thing[]> {
  return db<Thing[]>`
    select 'table' as kind, c.oid::regclass::text as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    union all
    select 'routine', p.oid::regprocedure::text from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select 'type', t.oid::regtype::text from pg_type t
      where t.typnamespace = current_schema()::regnamespace and t.typtype in ('d', 'e')
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')`;
}
