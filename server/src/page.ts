import { AppError } from './errors.ts';

/** The position of a record in a list sorted by (created_at, id). */
export interface Position {
  createdAt: Date;
  id: string;
}

export function encodeCursor(position: Position): string {
  return Buffer.from(JSON.stringify([position.createdAt.getTime(), position.id])).toString('base64url');
}

export function decodeCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    if (!/^[A-Za-z0-9_-]{1,1000}$/.test(cursor)) throw new Error('alphabet');
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 2) throw new Error('shape');
    const [time, id] = parsed as [unknown, unknown];
    if (typeof time !== 'number' || !isPlaceInTime(time)) throw new Error('time');
    if (typeof id !== 'string' || id.includes('\u0000')) throw new Error('id');
    return { createdAt: new Date(time), id };
  } catch {
    throw new AppError('invalid_cursor');
  }
}

const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** No record is older or younger, and the database cannot parse years beyond. */
export function isPlaceInTime(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= 0 && ms <= LATEST_MS;
}

/** Cuts a page out of rows that were read with `limit + 1`: the extra row only shows that there is more. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null };
}
