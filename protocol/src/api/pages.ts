import type { TArray, TObject, TSchema } from 'typebox';
import { record, Type } from '../records/schema.ts';

/** Query members of every list: `limit` and an opaque `cursor`, newest first. */
export const PAGE_QUERY = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Records per page.' }),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before.' })),
};

/** The query of a list that has no filter. */
export const PAGE = record('PageQuery', 'Which page of a list.', PAGE_QUERY);

const nextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Null on the last page.',
});

/** The response of a list: the records under their plural, and where the next page begins. */
export function pageOf<const Name extends string, Item extends TSchema>(
  title: string,
  name: Name,
  item: Item,
  order = 'Newest first.',
): TObject<Record<Name, TArray<Item>> & { next_cursor: typeof nextCursor }> {
  return record(title, 'One page of a list.', {
    [name]: Type.Array(item, { description: order }),
    next_cursor: nextCursor,
  }) as never;
}
