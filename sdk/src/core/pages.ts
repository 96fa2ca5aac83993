import type { CallOptions } from './call.ts';

/** Which page of a list. */
export interface PageQuery {
  /** Records per page, 1 to 100; 50 unless stated. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

/** Common to every page. */
export interface Page {
  /** Where the next page begins; null on the last one. */
  next_cursor: string | null;
}

/** Walks a list to its end, page by page, as the consumer asks for more. */
export async function* eachRecord<Query extends PageQuery, Item>(
  readPage: (query: Query, options: CallOptions) => Promise<{ items: Item[]; next: string | null }>,
  query: Query,
  options: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  let { cursor } = query;
  for (;;) {
    const page = await readPage(cursor === undefined ? query : { ...query, cursor }, options);
    yield* page.items;
    if (page.next === null || page.next === cursor) return;
    cursor = page.next;
  }
}
