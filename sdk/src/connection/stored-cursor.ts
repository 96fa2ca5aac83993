import { type Store, storeNames } from '../core/store.ts';

/** Where a reader has come to. */
export interface StoredCursor {
  read(): Promise<number>;
  keep(sequence: number): unknown;
}

/** Of a reader that has a name in the store; undefined for one that has none. */
export function storedCursor(
  { cursor, since }: { cursor?: string; since?: number },
  store: Store | undefined,
  connectionId: string | undefined,
): StoredCursor | undefined {
  if (cursor === undefined) return undefined;
  if (since !== undefined) throw new TypeError('Give either cursor or since, not both');
  if (!store || connectionId === undefined)
    throw new TypeError('cursor needs a client with a store and a connectionId; without them use since');
  const name = storeNames.cursor(connectionId, cursor);
  return {
    async read() {
      const kept = Number((await store.get(name)) ?? 0);
      if (!Number.isSafeInteger(kept) || kept < 0)
        throw new TypeError(`The store has no number under ${name}`);
      return kept;
    },
    keep: (sequence) => store.set(name, String(sequence)),
  };
}
