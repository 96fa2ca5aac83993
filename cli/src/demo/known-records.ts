import { isDeepStrictEqual } from 'node:util';
import { withUnchanged } from './format-json.ts';

/** Fewer members are not worth leaving out. */
const WORTH_FOLDING = 3;

/**
 * Remembers the records that a reader has seen. A record that comes again is reduced to its identifier and to what has
 * changed, which is what one looks for.
 */
export function createKnownRecords(): (value: unknown) => unknown {
  const known = new Map<string, Record<string, unknown>>();

  const reduce = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => reduce(item, name.replace(/s$/, '')));
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Record<string, unknown>;
    const identifier = Object.keys(record).find((member) => /(^|_)id$/.test(member));
    const key = `${name} ${identifier === undefined ? '' : String(record[identifier])}`;
    const seen = identifier === undefined ? undefined : known.get(key);
    const news = Object.entries(record).filter(
      ([member, content]) => member === identifier || !isDeepStrictEqual(content, seen?.[member]),
    );
    if (identifier !== undefined) known.set(key, { ...seen, ...record });
    const unchangedCount = Object.keys(record).length - news.length;
    if (unchangedCount < WORTH_FOLDING) return mapMembers(Object.entries(record), reduce);
    return withUnchanged(mapMembers(news, reduce), unchangedCount);
  };
  return (value) => reduce(value, '');
}

function mapMembers(
  members: [string, unknown][],
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(members.map(([name, value]) => [name, map(value, name)]));
}
