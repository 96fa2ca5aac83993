import type { Database, Fragment } from '../db/open.ts';
import { addMs, DAY_MS } from '../lib/clock.ts';

/**
 * A table that may be partitioned by time ranges, one of which is dropped when nothing in it has to be kept
 * (0047_ranges_of_time.sql).
 */
export interface RangedTable {
  table: string;
  /** The rows from the id `from` on and before `end`, in the order of their ids: `id` and `is_kept`. */
  rows(from: string, end: string): Fragment;
}

/** Rows checked per batch before their range is dropped; checking one costs a tenth of deleting it. */
const ROWS_AT_ONCE = 5_000;
/**
 * A range is dropped as a whole, and rows outside any range one by one: later, so that rows are not deleted just before
 * their range.
 */
const ROWS_LATER_MS = DAY_MS;

interface Range {
  first_end: Date;
  first_bound: string;
  days: number;
}

interface Looked {
  count: number;
  last: string | null;
  kept: string | null;
}

export interface ForgottenRanges {
  /** Rows from before this time are deleted one by one. */
  rowsBefore: Date;
  /** More rows remain to be checked. */
  isUnfinished: boolean;
}

/**
 * Creates the coming ranges, and drops the first ones: those with nothing from after `before` and nothing to keep. Each
 * row is checked once: the progress is recorded.
 */
export async function forgetRanges(
  db: Database,
  ranged: RangedTable,
  before: Date,
): Promise<ForgottenRanges> {
  for (;;) {
    const [range] = await db<Range[]>`select * from extend_ranges(${ranged.table})`;
    if (!range) return { rowsBefore: before, isUnfinished: false };
    const rowsBefore = addMs(before, -(range.days * DAY_MS + ROWS_LATER_MS));
    const found = range.first_end > before ? 'kept' : await lookThrough(db, ranged, range.first_bound);
    if (found === 'nothing' && (await dropFirst(db, ranged.table))) continue;
    return { rowsBefore, isUnfinished: found === 'more' };
  }
}

/** Whether something before `end` has to be kept, as far as one batch reaches. */
async function lookThrough(
  db: Database,
  { table, rows }: RangedTable,
  end: string,
): Promise<'kept' | 'more' | 'nothing'> {
  const name = `range of ${table}`;
  const [mark] = await db<{ reached_id: string | null }[]>`
    select reached_id from retention_marks where name = ${name}`;
  const [looked] = await db<[Looked]>`
    with looked as (${rows(mark?.reached_id ?? '', end)} limit ${ROWS_AT_ONCE})
    select count(*)::int as count, max(id) as last, min(id) filter (where is_kept) as kept from looked`;
  const reached = looked.kept ?? looked.last;
  if (reached !== null)
    await db`
      insert into retention_marks (name, reached, reached_id) values (${name}, now(), ${reached})
      on conflict (name) do update set reached = excluded.reached, reached_id = excluded.reached_id`;
  if (looked.kept !== null) return 'kept';
  return looked.count === ROWS_AT_ONCE ? 'more' : 'nothing';
}

/** Not while others have locked the table, or when a row was added meanwhile. */
async function dropFirst(db: Database, table: string): Promise<boolean> {
  const [row] = await db<[{ is_gone: boolean }]>`select drop_first_range(${table}) as is_gone`;
  return row.is_gone;
}
