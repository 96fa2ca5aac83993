/** Lists are read page by page to their end, but never without one. */
export const MOST_RECORDS = 1_000;
/** The largest page that the service gives. */
export const PAGE = 100;

/** The first `most` records that are wanted. Others are passed over, but not more of them than a list may have. */
export async function readUpTo<T>(
  most: number,
  records: AsyncIterable<T>,
  isWanted: (record: T) => boolean = () => true,
): Promise<T[]> {
  const found: T[] = [];
  let passedOver = 0;
  for await (const record of records) {
    if (isWanted(record)) found.push(record);
    else passedOver += 1;
    if (found.length >= most || passedOver >= MOST_RECORDS) break;
  }
  return found;
}

export function readAll<T>(records: AsyncIterable<T>): Promise<T[]> {
  return readUpTo(MOST_RECORDS, records);
}
