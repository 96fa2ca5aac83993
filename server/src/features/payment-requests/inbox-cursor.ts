import { sha256Hex } from '@countersign/protocol';
import { AppError } from '../../errors.ts';
import { decodeCursor, type Position } from '../../http/page.ts';
import { addMs } from '../../lib/clock.ts';

/**
 * Where a waiting wallet stands. Requests carry the moment they were asked for, but become visible in the order of
 * their commits: one that was asked a little earlier can appear a little later. So the place lies some seconds behind
 * the newest request shown, together with marks of those that were shown since.
 */
export interface InboxPlace {
  after: Position;
  seen: readonly string[];
}

interface Shown {
  connection_id: string;
  request_id: string;
  created_at: Date;
}

/** Longer than any create takes from its moment to its commit. */
const OVERLAP_MS = 10_000;
const MAX_SEEN = 100;
const MARK_LENGTH = 16;

/** The form in which a request is remembered; `INBOX_MARK` is the same in SQL. */
function markOf({ connection_id, request_id }: Shown): string {
  return sha256Hex(`${connection_id}/${request_id}`).slice(0, MARK_LENGTH);
}

export const INBOX_MARK = `left(encode(sha256(convert_to(r.connection_id || '/' || r.request_id, 'UTF8')), 'hex'), ${MARK_LENGTH})`;

/** Takes the cursor of an ordinary list as well. */
export function decodeInboxCursor(cursor: string | undefined): InboxPlace | undefined {
  if (cursor === undefined) return undefined;
  if (!cursor.startsWith(PREFIX)) {
    const after = decodeCursor(cursor);
    return after && { after, seen: [] };
  }
  const match = /^w\.(\d{1,16})\.((?:[0-9a-f]{16})*)$/.exec(cursor);
  const createdAt = new Date(Number(match?.[1]));
  if (!match || Number.isNaN(createdAt.getTime())) throw new AppError('invalid_cursor', { field: 'cursor' });
  return { after: { createdAt, id: '' }, seen: match[2]?.match(/.{16}/g) ?? [] };
}

/** `shown` are the newest rows, in any order; `place` is where the wallet stood. */
export function encodeInboxCursor(place: InboxPlace | undefined, shown: readonly Shown[]): string {
  const newest = Math.max(...shown.map((row) => row.created_at.getTime()));
  const floor = addMs(new Date(newest), -OVERLAP_MS);
  const fresh = shown.filter((row) => row.created_at > floor).map(markOf);
  const seen = [...(place?.seen ?? []), ...fresh].slice(-MAX_SEEN);
  return `${PREFIX}${floor.getTime()}.${seen.join('')}`;
}

const PREFIX = 'w.';
