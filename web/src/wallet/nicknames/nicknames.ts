import { makesClaims } from '@payassent/protocol';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { showHidden } from '../../ui/hidden-characters.ts';
import { change, readEntry } from '../storage/database.ts';

/** Names that the person gave to agents and devices, by the id of the connection or device. They stay in this browser. */
type Nicknames = Readonly<Record<string, string>>;

const KEY = 'nicknames';

export const nicknamesQuery = queryOptions({
  queryKey: ['nicknames'],
  queryFn: async () => (await readEntry<Nicknames>('device', KEY)) ?? {},
});

/** Undefined takes the name away. */
export function keepNickname(id: string, name: string | undefined): Promise<void> {
  return change(['device'], (transaction) => {
    const store = transaction.objectStore('device');
    const found: IDBRequest<Nicknames | undefined> = store.get(KEY);
    found.onsuccess = () => {
      const { [id]: _former, ...others } = found.result ?? {};
      store.put(name === undefined ? others : { ...others, [id]: name }, KEY);
    };
  });
}

/**
 * Letters, the ten digits and a few signs: without a dot, or anything that is drawn like one, no name looks like a
 * domain. What only the page may say is refused as in every name.
 */
const PLAIN =
  /^[\p{Lu}\p{Ll}\p{Lt}\p{Lo}0-9](?:[\p{Lu}\p{Ll}\p{Lt}\p{Lo}0-9 '’&-]*[\p{Lu}\p{Ll}\p{Lt}\p{Lo}0-9])?$/u;
export const LONGEST_NICKNAME = 40;

export function isNickname(name: string): boolean {
  return (
    name.length <= LONGEST_NICKNAME && PLAIN.test(name) && showHidden(name) === name && !makesClaims(name)
  );
}

export function useNickname(id: string): string | undefined {
  const kept = useQuery(nicknamesQuery).data?.[id];
  // Another page of this origin may have written it.
  return kept !== undefined && isNickname(kept) ? kept : undefined;
}
