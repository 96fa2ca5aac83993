import { sha256Hex } from '@payassent/protocol';
import { AppError } from '../../errors.ts';
import { decodeCursor, isPlaceInTime, type Position } from '../../page.ts';

/**
 * What a waiting wallet has been shown. Requests become visible in the order of their commits, which no clock gives, so
 * each carries the transaction that wrote it. A read shows everything that transactions before its horizon have
 * committed; what a transaction in progress commits later is before `after` in the list, and is found by its
 * transaction.
 */
export interface InboxPlace {
  after: Position;
  /** Undefined for a position in the ordinary list, which has no transactions. */
  horizons: readonly Horizon[] | undefined;
  /** The marks of the horizons' own transactions and of later ones that were shown. */
  seen: readonly Mark[];
}

/** On one node, the oldest transaction in progress at the time of the query. */
export interface Horizon {
  /** Changes with a failover, a restore or a moved shard, because transaction numbers then have another meaning. */
  node: string;
  xid: bigint;
}

export interface Mark {
  node: string;
  xid: bigint;
  hash: string;
}

/**
 * A request as a read found it, with the transaction that wrote it: null for one from before transactions were stored.
 */
export interface Shown {
  connection_id: string;
  request_id: string;
  created_at: Date;
  node: string;
  written_by: string | null;
}

/**
 * More than that are shown again: while a long transaction holds the horizon back, there can be so many new requests.
 */
const MAX_MARKS = 100;
const MAX_NODES = 64;
/** Push subscriptions store these marks too: another length would notify everything again. */
const HASH_LENGTH = 16;
const PREFIX = 'w.';
/** The previous form, which was based on clocks: the list starts again. */
const FORMER = /^w\.\d{1,15}\.[A-Za-z0-9_-]{0,900}\.[0-9a-f]{0,2200}$/;
const START: InboxPlace = { after: { createdAt: new Date(0), id: '' }, horizons: [], seen: [] };

/** The mark of a request; `INBOX_MARK` is the same in SQL. */
function nameHash({ connection_id, request_id }: Pick<Shown, 'connection_id' | 'request_id'>): string {
  return sha256Hex(`${connection_id}/${request_id}`).slice(0, HASH_LENGTH);
}

export const INBOX_MARK = `left(encode(sha256(convert_to(r.connection_id || '/' || r.request_id, 'UTF8')), 'hex'), ${HASH_LENGTH})`;

/** Two connections can use the same request id in one millisecond: the connection distinguishes them. */
export function positionOf({
  connection_id,
  request_id,
  created_at,
}: Pick<Shown, 'connection_id' | 'request_id' | 'created_at'>): Position {
  return { createdAt: created_at, id: `${connection_id}/${request_id}` };
}

export function tieOf({ id }: Position): { connectionId: string; requestId: string } {
  const end = id.indexOf('/');
  return { connectionId: id.slice(0, Math.max(end, 0)), requestId: id.slice(end + 1) };
}

/** A cursor for everything shown while waiting, which leads to what is newer. */
export function isInboxCursor(cursor: string | undefined): boolean {
  return cursor?.startsWith(PREFIX) ?? false;
}

/** Accepts the cursor of an ordinary list as well. */
export function decodeInboxCursor(cursor: string | undefined): InboxPlace | undefined {
  if (cursor === undefined) return undefined;
  if (!isInboxCursor(cursor)) {
    const after = decodeCursor(cursor);
    return after && { after, horizons: undefined, seen: [] };
  }
  if (FORMER.test(cursor)) return START;
  try {
    return placeIn(JSON.parse(Buffer.from(cursor.slice(PREFIX.length), 'base64url').toString('utf8')));
  } catch {
    throw new AppError('invalid_cursor', { field: 'cursor' });
  }
}

/** Written by `write`, and checked only for what the database would reject. */
function placeIn([time, id, horizons, seen]: unknown[]): InboxPlace {
  if (!isPlaceInTime(time as number)) throw new Error('time');
  const nodes = list(horizons, MAX_NODES).map((one) => {
    const [node, xid] = list(one, 2);
    return { node: text(node), xid: xidIn(xid) };
  });
  const marks = list(seen, MAX_MARKS).map((one) => {
    const [at, xid, hash] = list(one, 3);
    return { node: nodes[at as number]?.node ?? '', xid: xidIn(xid), hash: text(hash) };
  });
  return { after: { createdAt: new Date(time as number), id: text(id) }, horizons: nodes, seen: marks };
}

function list(value: unknown, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new Error('list');
  return value;
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value.length > 500 || value.includes('\u0000')) throw new Error('text');
  return value;
}

function xidIn(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value)) throw new Error('xid');
  return BigInt(value);
}

/** The result of a read: the rows of a page, oldest first, and the horizon of each node that it queried. */
export interface Look {
  rows: readonly Shown[];
  horizons: readonly Horizon[];
  /** Whether there may be more. */
  isFull: boolean;
}

/** `place` is from before the read. */
export function encodeInboxCursor(place: InboxPlace | undefined, look: Look): string {
  const last = look.rows.at(-1);
  const upTo = last ? positionOf(last) : START.after;
  const marks = look.rows.map((row) => ({
    node: row.node,
    xid: BigInt(row.written_by ?? 0),
    hash: nameHash(row),
  }));
  const seen = [...(place?.seen ?? []), ...marks];
  if (!place) {
    // Older ones did not fit: they come next.
    const horizons = look.isFull ? look.horizons.map(({ node }) => ({ node, xid: 0n })) : look.horizons;
    return write(upTo, horizons, seen);
  }
  const isBehind = comparePositions(upTo, place.after) > 0;
  const hasMoreBefore = look.isFull && !isBehind;
  const known = place.horizons ?? [];
  // On a node that is not in the cursor the list has started again: there the page itself is the position.
  const isKnown = look.horizons.every(({ node }) => known.some((horizon) => horizon.node === node));
  if (hasMoreBefore && isKnown && seen.length <= MAX_MARKS) return write(place.after, known, seen);
  return write(isBehind || hasMoreBefore ? upTo : place.after, look.horizons, seen);
}

function write(after: Position, horizons: readonly Horizon[], seen: readonly Mark[]): string {
  const at = new Map(horizons.map(({ node }, n) => [node, n]));
  const isOpen = ({ node, xid }: Mark) => xid >= (horizons[at.get(node) ?? -1]?.xid ?? xid + 1n);
  const place = [
    after.createdAt.getTime(),
    after.id,
    horizons.map(({ node, xid }) => [node, String(xid)]),
    seen
      .filter(isOpen)
      .slice(-MAX_MARKS)
      .map(({ node, xid, hash }) => [at.get(node), String(xid), hash]),
  ];
  return `${PREFIX}${Buffer.from(JSON.stringify(place)).toString('base64url')}`;
}

/** The database's order: by time, then byte by byte. */
function comparePositions(left: Position, right: Position): number {
  const [a, b] = [tieOf(left), tieOf(right)];
  return (
    left.createdAt.getTime() - right.createdAt.getTime() ||
    Buffer.compare(Buffer.from(a.requestId), Buffer.from(b.requestId)) ||
    Buffer.compare(Buffer.from(a.connectionId), Buffer.from(b.connectionId))
  );
}
