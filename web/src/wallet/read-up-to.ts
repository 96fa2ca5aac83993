/** Lists are read page by page to their end, but never without one. */
export const MOST_RECORDS = 1_000;
/** The largest page that the service gives. */
export const PAGE = 100;

/** The first `most` records. */
export async function readUpTo<T>(most: number, records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of records) {
    found.push(record);
    if (found.length >= most) break;
  }
  return found;
}

export function readAll<T>(records: AsyncIterable<T>): Promise<T[]> {
  return readUpTo(MOST_RECORDS, records);
}
