import type { Fragment, Sql } from '../db/open.ts';
import { decodeCursor, type Position, toPage } from '../page.ts';

/**
 * What a statement reads for one page: the rows after the cursor, and one more, which only shows that there are more.
 */
export interface PageRead {
  after: Position | undefined;
  limit: number;
}

/** One page of records, newest first. `id` is the member that names a record, as in `newestFirst` of the statement. */
export async function readPage<Id extends string, Row extends { created_at: Date } & Record<Id, string>>(
  query: { cursor?: string | undefined; limit: number },
  id: Id,
  read: (page: PageRead) => PromiseLike<readonly Row[]>,
): Promise<{ items: Row[]; next_cursor: string | null }> {
  const rows = await read({ after: decodeCursor(query.cursor), limit: query.limit + 1 });
  const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row[id] }));
  return { items: page.items, next_cursor: page.nextCursor };
}

/**
 * The end of a statement that reads a page: its last condition, order and limit. `id` may have the alias of its table.
 */
export function newestFirst(sql: Sql, { after, limit }: PageRead, id: string): Fragment {
  const createdAt = sql.unsafe(id.replace(/\w+$/, 'created_at'));
  const place = sql.unsafe(id);
  return sql`
    ${after ? sql`and (${createdAt}, ${place}) < (${after.createdAt}, ${after.id})` : sql``}
    order by ${createdAt} desc, ${place} desc limit ${limit}`;
}
