import type { PaymentRequest, PaymentRequestStatus } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import type { ConnectionPrincipal, MerchantPrincipal, WalletPrincipal } from '../../http/principals.ts';
import { walletTopic } from '../callers/topics.ts';
import type { Engine } from './engine.ts';
import { decodeInboxCursor, encodeInboxCursor, type InboxPlace, positionOf } from './inbox-cursor.ts';
import { type ListedRow, type ListFilter, listRequests, type Owner } from './list-sql.ts';
import { settleEnded } from './settle.ts';
import type { RequestName } from './settle-sql.ts';
import { type Audience, paymentRequestView } from './view.ts';

export type Reader = ConnectionPrincipal | MerchantPrincipal | WalletPrincipal;

export interface ListQuery {
  status: PaymentRequestStatus | undefined;
  connectionId: string | undefined;
  recipientId: string | undefined;
  limit: number;
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
  const before = decodeCursor(query.cursor);
  const { status, connectionId, recipientId, limit } = query;
  const filter = { status, connectionId, recipientId, before, limit: limit + 1 };
  const rows = await settledRows(engine, act, ownerOf(reader), filter);
  const { items, nextCursor } = toPage(rows, query.limit, positionOf);
  return { payment_requests: toViews(items, reader.kind), next_cursor: nextCursor };
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
 * stands for everything it has shown, and is where the next wait begins. When more is new than fits a page, the oldest
 * of it come first, so that following the cursor skips nothing.
 */
export async function awaitInbox(engine: Engine, call: InboxCall, query: ListQuery): Promise<ListResult> {
  const deadlineMs = performance.now() + call.waitMs;
  const place = decodeInboxCursor(query.cursor);
  const { walletId } = call.reader;
  const { status } = query;
  const watch = engine.waiters.watch(
    { kind: 'inbox', tokenHash: call.tokenHash, walletId, status, place },
    [walletTopic(walletId)],
    call.hungUp,
  );
  try {
    for (;;) {
      const rows = await newerRows(engine, call.newAct(), call.reader, query, place);
      if (rows.length > 0) {
        return { payment_requests: toViews(rows, 'wallet'), next_cursor: encodeInboxCursor(place, rows) };
      }
      const wakeup = await watch.next(deadlineMs - performance.now());
      if (wakeup !== 'changed') return { payment_requests: [], next_cursor: query.cursor ?? null };
      await call.authenticate();
    }
  } finally {
    watch.close();
  }
}

async function newerRows(
  engine: Engine,
  act: Act,
  reader: WalletPrincipal,
  query: ListQuery,
  after: InboxPlace | undefined,
): Promise<ListedRow[]> {
  const { status, connectionId, recipientId, limit } = query;
  const filter = { status, connectionId, recipientId, after, limit };
  const rows = await settledRows(engine, act, ownerOf(reader), filter);
  return after ? rows.toReversed() : rows;
}

const MAX_TURNS = 8;

/** What a list is about to show is settled first: nobody sees a request as pending that has ended. */
async function settledRows(engine: Engine, act: Act, owner: Owner, filter: ListFilter): Promise<ListedRow[]> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const rows = await listRequests(engine.db, owner, filter, act.now);
    const ended = rows.filter((row) => row.is_ended);
    if (ended.length === 0) return rows;
    await settleShown(engine, act, ended);
  }
  throw new AppError('unavailable', { message: 'The list changes too fast just now; read it again.' });
}

export async function settleShown(engine: Engine, act: Act, requests: readonly RequestName[]): Promise<void> {
  await settleEnded(engine.db, act, { kind: 'requests', requests });
}

function toViews(rows: readonly ListedRow[], audience: Audience): PaymentRequest[] {
  return rows.map((row) => paymentRequestView(row.record, audience));
}
