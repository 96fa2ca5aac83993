import { type TArray, type TObject, type TSchema, Type } from 'typebox';

/** Query members of every list: `limit` and an opaque `cursor`, newest first. */
export const PAGE_QUERY = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Records per page.' }),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before.' })),
};

const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Where the next page begins; null on the last one.',
});

/** The response of a list: the records under their plural, and where the next page begins. */
export function pageOf<const Name extends string, Item extends TSchema>(
  name: Name,
  item: Item,
): TObject<Record<Name, TArray<Item>> & { next_cursor: typeof nextCursor }> {
  return Type.Object({ [name]: Type.Array(item), next_cursor: nextCursor }) as never;
}
