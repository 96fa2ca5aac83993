import type { PaymentRequest, PaymentRequestStatus } from '@countersign/protocol';
import type { Act } from '../../act.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import type { ConnectionPrincipal, MerchantPrincipal, WalletPrincipal } from '../../http/principals.ts';
import { walletTopic } from '../callers/topics.ts';
import type { Engine } from './engine.ts';
import { decodeInboxCursor, encodeInboxCursor, type InboxPlace, positionOf } from './inbox-cursor.ts';
import { type ListedRow, type ListFilter, listRequests, type Owner } from './read-sql.ts';
import { expireOverdue } from './settle.ts';
import type { RequestName } from './settle-sql.ts';
import { type Audience, paymentRequestView } from './view.ts';

export type Reader = ConnectionPrincipal | MerchantPrincipal | WalletPrincipal;

export interface ListQuery {
  status: PaymentRequestStatus | undefined;
  connectionId: string | undefined;
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
  const filter = { status: query.status, connectionId: query.connectionId, before };
  const rows = await settledRows(engine, act, ownerOf(reader), { ...filter, limit: query.limit + 1 });
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
  const { status, connectionId, limit } = query;
  const rows = await settledRows(engine, act, ownerOf(reader), { status, connectionId, after, limit });
  return after ? rows.toReversed() : rows;
}

/** What a list is about to show is settled first: nobody sees a pending request past its time. */
async function settledRows(engine: Engine, act: Act, owner: Owner, filter: ListFilter): Promise<ListedRow[]> {
  const rows = await listRequests(engine.db, owner, filter, act.now);
  const overdue = rows.filter((row) => row.is_overdue);
  if (overdue.length === 0) return rows;
  await settleShown(engine, act, overdue);
  return listRequests(engine.db, owner, filter, act.now);
}

export async function settleShown(engine: Engine, act: Act, requests: readonly RequestName[]): Promise<void> {
  await expireOverdue(engine.db, act, { kind: 'requests', requests });
}

function toViews(rows: readonly ListedRow[], audience: Audience): PaymentRequest[] {
  return rows.map((row) => paymentRequestView(row.record, audience));
}
