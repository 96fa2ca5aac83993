import { sha256Hex } from '@payassent/protocol';
import { AppError } from '../../errors.ts';
import { decodeCursor, isPlaceInTime, type Position } from '../../http/page.ts';

/**
 * Where a waiting wallet stands. Requests carry the moment they were asked for, but become visible in the order of
 * their commits: one that was asked a little earlier can appear a little later. So the place lies some seconds behind
 * the newest request shown, together with marks of those that were shown since.
 */
export interface InboxPlace {
  after: Position;
  seen: readonly Mark[];
}

export interface Mark {
  atMs: number;
  hash: string;
}

interface Shown {
  connection_id: string;
  request_id: string;
  created_at: Date;
}

/** Longer than any create takes from its moment to its commit. */
const OVERLAP_MS = 10_000;
const MAX_MARKS = 100;
/** What is marked when there are too many; everything before counts as shown, or a burst would be shown forever. */
const MARKS_OF_A_BURST = 50;
const HASH_LENGTH = 16;
const OFFSET_LENGTH = 6;
const MAX_OFFSET_MS = 16 ** OFFSET_LENGTH - 1;
const PREFIX = 'w.';

/** The form in which a request is remembered; `INBOX_MARK` is the same in SQL. */
function markOf({ connection_id, request_id, created_at }: Shown): Mark {
  const hash = sha256Hex(`${connection_id}/${request_id}`).slice(0, HASH_LENGTH);
  return { atMs: created_at.getTime(), hash };
}

export const INBOX_MARK = `left(encode(sha256(convert_to(r.connection_id || '/' || r.request_id, 'UTF8')), 'hex'), ${HASH_LENGTH})`;

/** Two connections can ask with one id in one millisecond: the connection tells them apart. */
export function positionOf({ connection_id, request_id, created_at }: Shown): Position {
  return { createdAt: created_at, id: `${connection_id}/${request_id}` };
}

export function tieOf({ id }: Position): { connectionId: string; requestId: string } {
  const end = id.indexOf('/');
  return { connectionId: id.slice(0, Math.max(end, 0)), requestId: id.slice(end + 1) };
}

/** A cursor that stands for what was shown while waiting, and so leads to what is newer. */
export function isInboxCursor(cursor: string | undefined): boolean {
  return cursor?.startsWith(PREFIX) ?? false;
}

/** Takes the cursor of an ordinary list as well. */
export function decodeInboxCursor(cursor: string | undefined): InboxPlace | undefined {
  if (cursor === undefined) return undefined;
  if (!isInboxCursor(cursor)) {
    const after = decodeCursor(cursor);
    return after && { after, seen: [] };
  }
  const match = /^w\.(\d{1,15})\.([A-Za-z0-9_-]{0,900})\.((?:[0-9a-f]{22}){0,100})$/.exec(cursor);
  const id = Buffer.from(match?.[2] ?? '', 'base64url').toString('utf8');
  const floorMs = Number(match?.[1]);
  if (!match || id.includes('\u0000') || !isPlaceInTime(floorMs))
    throw new AppError('invalid_cursor', { field: 'cursor' });
  const marks = match[3]?.match(/.{22}/g) ?? [];
  return {
    after: { createdAt: new Date(floorMs), id },
    seen: marks.map((text) => ({
      atMs: floorMs + Number.parseInt(text.slice(HASH_LENGTH), 16),
      hash: text.slice(0, HASH_LENGTH),
    })),
  };
}

/** `shown` are rows that the wallet had not seen, in any order; `place` is where it stood. */
export function encodeInboxCursor(place: InboxPlace | undefined, shown: readonly Shown[]): string {
  const fresh = shown.toSorted(byPosition);
  const marks = [...(place?.seen ?? []), ...fresh.map(markOf)];
  const newestMs = Math.max(...marks.map((mark) => mark.atMs));
  const formerMs = place?.after.createdAt.getTime() ?? 0;
  const floorMs = Math.max(formerMs, newestMs - OVERLAP_MS);
  const seen = marks.filter((mark) => mark.atMs >= floorMs);
  const burst = fresh.at(-Math.min(fresh.length, MARKS_OF_A_BURST));
  if (seen.length <= MAX_MARKS || !burst) {
    const id = floorMs === formerMs ? (place?.after.id ?? '') : '';
    return write({ after: { createdAt: new Date(floorMs), id }, seen });
  }
  const after = positionOf(burst);
  return write({ after, seen: seen.filter((mark) => mark.atMs >= after.createdAt.getTime()) });
}

function write({ after, seen }: InboxPlace): string {
  const floorMs = after.createdAt.getTime();
  const marks = seen.slice(-MAX_MARKS).map(({ atMs, hash }) => {
    const offsetMs = Math.min(atMs - floorMs, MAX_OFFSET_MS);
    return hash + offsetMs.toString(16).padStart(OFFSET_LENGTH, '0');
  });
  return `${PREFIX}${floorMs}.${Buffer.from(after.id).toString('base64url')}.${marks.join('')}`;
}

/** As the database sorts: by time, then byte by byte. */
function byPosition(left: Shown, right: Shown): number {
  return (
    left.created_at.getTime() - right.created_at.getTime() ||
    Buffer.compare(Buffer.from(left.request_id), Buffer.from(right.request_id)) ||
    Buffer.compare(Buffer.from(left.connection_id), Buffer.from(right.connection_id))
  );
}
