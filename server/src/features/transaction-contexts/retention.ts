import { type Database, transaction } from '../../db/open.ts';
import type { RetentionRule } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';

const UNUSED_DAYS = 90;
const MARK = 'transaction_contexts';

/**
 * Contexts that no request references. Each revision is checked once, when it is 90 days old: a mark records the
 * sweep's progress, so that those which stay are not read again and again.
 */
export const unusedContextRetention: RetentionRule = {
  name: 'unused contexts',
  tables: ['transaction_contexts'],
  purge: sweep,
};

async function sweep(db: Database, now: Date, limit: number): Promise<number> {
  const before = addMs(now, -UNUSED_DAYS * DAY_MS);
  // Old by the database's clock too, which decides what may be deleted.
  const [next] = await db<{ since: string; until: string | null; seen: number }[]>`
    with mark as (
      select coalesce((select reached from retention_marks where name = ${MARK}), '-infinity') as since
    ), batch as (
      select c.created_at from transaction_contexts c, mark
      where c.created_at > mark.since and c.created_at < least(${before}, now() - interval '90 days')
      order by c.created_at limit ${limit}
    )
    -- As text: to the microsecond, which a Date of JavaScript does not keep.
    select mark.since::text as since, (select max(created_at)::text from batch) as until,
           (select count(*)::int from batch) as seen
    from mark`;
  if (!next?.until) return 0;
  const { since, until } = next;
  // Within a transaction, because only there the nodes of a distributed database receive what the function sets.
  await transaction(
    db,
    (tx) => tx`select forget_unused_contexts(${since}::text::timestamptz, ${until}::text::timestamptz)`,
  );
  await db`
    insert into retention_marks (name, reached) values (${MARK}, ${next.until}::text::timestamptz)
    on conflict (name) do update set reached = greatest(retention_marks.reached, excluded.reached)`;
  return next.seen;
}
