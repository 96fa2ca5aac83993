import { PAYMENT_REQUEST_STATUSES } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { walletTopic } from '../../features/callers/topics.ts';
import { decodeCursor, encodeCursor, toPage } from '../../page.ts';
import type { ConnectionPrincipal, MerchantPrincipal, WalletPrincipal } from '../../principals.ts';
import { closeEnded } from '../close/close.ts';
import type { RequestName } from '../close/close-sql.ts';
import type { Engine } from '../engine.ts';
import { decodeInboxCursor, encodeInboxCursor, type InboxPlace, positionOf } from '../feed/inbox-cursor.ts';
import { linkedView } from '../record/view.ts';
import {
  findListed,
  findNewer,
  type ListedRow,
  type ListFilter,
  listRequests,
  type NewerPage,
  type Owner,
  type Sieve,
  siftRequests,
} from './list-sql.ts';

export type Reader = ConnectionPrincipal | MerchantPrincipal | WalletPrincipal;

export interface ListQuery extends Omit<ListFilter, 'before' | 'after'>, Pick<Sieve, 'words'> {
  cursor: string | undefined;
}

export interface ListResult {
  payment_requests: PaymentRequest[];
  next_cursor: string | null;
}

function ownerOf(reader: Reader): Owner {
  const { kind } = reader;
  if (kind === 'wallet') return { kind, walletId: reader.walletId };
  if (kind === 'merchant') return { kind, merchantId: reader.merchantId };
  return { kind, merchantId: reader.merchantId, connectionId: reader.connectionId };
}

/** Newest first. */
export async function listPage(
  engine: Engine,
  act: Act,
  reader: Reader,
  query: ListQuery,
): Promise<ListResult> {
  const { cursor, words, ...chosen } = query;
  const filter = { ...chosen, before: decodeCursor(cursor) };
  const { items, nextCursor } = needsSieve(query)
    ? await siftedPage(engine, act, ownerOf(reader), filter, words)
    : toPage(
        await settledRows(engine, act, ownerOf(reader), { ...filter, limit: query.limit + 1 }),
        query.limit,
        positionOf,
      );
  const records = items.map((row) => linkedView(row.record, reader.kind, engine.links));
  return { payment_requests: records, next_cursor: nextCursor };
}

/** No index serves these; only pending requests have one by payee. */
function needsSieve({ recipientId, statuses, words }: ListQuery): boolean {
  const isPending = statuses?.length === 1 && statuses[0] === 'pending';
  return words !== undefined || (recipientId !== undefined && !isPending);
}

/** How many rows one page scans. A page may be short and still have a next one. */
const SIFTED = 1000;

async function siftedPage(
  engine: Engine,
  act: Act,
  owner: Owner,
  filter: ListFilter,
  words: string | undefined,
): Promise<{ items: ListedRow[]; nextCursor: string | null }> {
  const { recipientId, limit } = filter;
  const wide = { ...filter, recipientId: undefined, limit: SIFTED };
  const rows = await siftRequests(engine.db, owner, wide, { recipientId, words }, act.now);
  const passing = rows.filter((row) => row.passes);
  const page = toPage(passing, limit, positionOf);
  const last = rows.at(-1);
  const end = rows.length === SIFTED && last ? encodeCursor(positionOf(last)) : null;
  const { rows: items } = await settled(engine, act, async () => ({
    rows: await findListed(engine.db, page.items, act.now),
  }));
  return { items: [...items], nextCursor: page.nextCursor ?? end };
}

export interface InboxCall {
  tokenHash: string;
  reader: WalletPrincipal;
  authenticate(): Promise<unknown>;
  waitMs: number;
  hungUp: AbortSignal;
  newAct(): Act;
}

/**
 * The waiting form of the wallet's list: what is newer than the cursor, as soon as there is anything. Its `next_cursor`
 * covers everything it has shown, and starts the next wait. When more is new than fits a page, the oldest of it come
 * first, so that following the cursor skips nothing.
 */
export async function awaitInbox(engine: Engine, call: InboxCall, query: ListQuery): Promise<ListResult> {
  const deadlineMs = performance.now() + call.waitMs;
  const place = decodeInboxCursor(query.cursor);
  const { walletId } = call.reader;
  const { statuses } = query;
  const watch = engine.waiters.watch(
    { kind: 'inbox', tokenHash: call.tokenHash, walletId, statuses, place },
    [walletTopic(walletId)],
    call.hungUp,
  );
  try {
    for (;;) {
      const page = await newerPage(engine, call.newAct(), call.reader, query, place);
      if (page.rows.length > 0) {
        const newest = page.rows.toReversed();
        const records = newest.map((row) => linkedView(row.record, 'wallet', engine.links));
        return { payment_requests: records, next_cursor: encodeInboxCursor(place, page) };
      }
      const wakeup = await watch.next(deadlineMs - performance.now());
      if (wakeup !== 'changed') return { payment_requests: [], next_cursor: query.cursor ?? null };
      await call.authenticate();
    }
  } finally {
    watch.close();
  }
}

/** Oldest first; without a position the newest of the list, where older ones are left to its pages. */
async function newerPage(
  engine: Engine,
  act: Act,
  reader: WalletPrincipal,
  query: ListQuery,
  after: InboxPlace | undefined,
): Promise<NewerPage> {
  const { cursor: _cursor, words: _words, ...chosen } = query;
  const filter = { ...chosen, statuses: chosen.statuses ?? PAYMENT_REQUEST_STATUSES, after };
  const page = await settled(engine, act, () => findNewer(engine.db, ownerOf(reader), filter, act.now));
  return after ? page : { ...page, rows: page.rows.toReversed() };
}

const MAX_TURNS = 8;

async function settledRows(
  engine: Engine,
  act: Act,
  owner: Owner,
  filter: ListFilter,
): Promise<readonly ListedRow[]> {
  const { rows } = await settled(engine, act, async () => ({
    rows: await listRequests(engine.db, owner, filter, act.now),
  }));
  return rows;
}

/** Closes what a list is about to show: an ended request is never shown as pending. */
async function settled<Page extends { rows: readonly ListedRow[] }>(
  engine: Engine,
  act: Act,
  read: () => Promise<Page>,
): Promise<Page> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const page = await read();
    const ended = page.rows.filter((row) => row.is_ended);
    if (ended.length === 0) return page;
    await closeShown(engine, act, ended);
  }
  throw new AppError('unavailable', { message: 'The list is changing too quickly; read it again.' });
}

export async function closeShown(engine: Engine, act: Act, requests: readonly RequestName[]): Promise<void> {
  await closeEnded(engine.db, act, { kind: 'requests', requests });
}
