import type { PaymentRequestStatus } from '@countersign/protocol';
import type { Database, Sql } from '../../db/open.ts';
import type { Position } from '../../http/page.ts';
import { type HotCaller, joinCaller } from './gate-sql.ts';
import { INBOX_MARK, type InboxPlace, tieOf } from './inbox-cursor.ts';
import { RECORD_JSON } from './record-json.ts';

export interface AgentRead {
  caller: HotCaller;
  requestId: string;
}

export interface ReadRow {
  merchant_id: string;
  connection_id: string;
  /** Null when the connection has no such request. */
  record: string | null;
  is_overdue: boolean | null;
}

/** Reads for any callers at once; undefined where the credential does not pass. */
export async function readForAgents(
  sql: Sql,
  reads: readonly AgentRead[],
  now: Date,
): Promise<(ReadRow | undefined)[]> {
  const input = JSON.stringify(
    reads.map(({ caller, requestId }, n) => ({
      n,
      token_hash: caller.tokenHash,
      proved_by: caller.provedBy,
      request_id: requestId,
    })),
  );
  const rows = await sql<(ReadRow & { n: number })[]>`
    select i.n, c.merchant_id, c.connection_id, r.is_overdue, r.record
    from json_to_recordset(${input}::text::json) as i(n int, token_hash text, proved_by id, request_id id)
      ${joinCaller(sql, 'payment.requests.read', now)}
      left join lateral (
        select r.status = 'pending' and r.expires_at < ${now} as is_overdue, ${sql.unsafe(RECORD_JSON)} as record
        from payment_requests r
        where r.merchant_id = c.merchant_id and r.request_id = i.request_id and r.connection_id = c.connection_id
        limit 1
      ) r on true`;
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  return reads.map((_read, n) => byNumber.get(n));
}

/** Whose requests a list or a read may show. */
export type Owner =
  | { kind: 'connection'; merchantId: string; connectionId: string }
  | { kind: 'merchant'; merchantId: string }
  | { kind: 'wallet'; walletId: string };

function belongsTo(sql: Sql, owner: Owner) {
  switch (owner.kind) {
    case 'connection':
      return sql`r.connection_id = ${owner.connectionId} and r.merchant_id = ${owner.merchantId}`;
    case 'merchant':
      return sql`r.merchant_id = ${owner.merchantId}`;
    case 'wallet':
      return sql`r.wallet_id = ${owner.walletId}`;
  }
}

export interface ListedRow {
  merchant_id: string;
  connection_id: string;
  request_id: string;
  created_at: Date;
  is_overdue: boolean;
  record: string;
}

export interface ListFilter {
  status: PaymentRequestStatus | undefined;
  connectionId: string | undefined;
  /** Only what is older than this place in the list. */
  before?: Position | undefined;
  /** Only what is newer and not yet seen; the oldest of it come first. */
  after?: InboxPlace | undefined;
  limit: number;
}

/** One page. Overdue requests count as expired, whether somebody has settled them already or not. */
export async function listRequests(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  now: Date,
): Promise<ListedRow[]> {
  const { before, after } = filter;
  return db<ListedRow[]>`
    select r.merchant_id, r.connection_id, r.request_id, r.created_at, r.status = 'pending' and r.expires_at < ${now} as is_overdue,
           ${db.unsafe(RECORD_JSON)} as record
    from payment_requests r
    where ${belongsTo(db, owner)} and ${hasStatus(db, filter.status, now)}
      ${filter.connectionId === undefined ? db`` : db`and r.connection_id = ${filter.connectionId}`}
      ${before ? db`and ${place(db)} < ${placeOf(db, before)}` : db``}
      ${after ? isUnseen(db, after) : db``}
    order by ${
      after
        ? db`r.created_at, r.request_id, r.connection_id`
        : db`r.created_at desc, r.request_id desc, r.connection_id desc`
    }
    limit ${filter.limit}`;
}

function place(sql: Sql) {
  return sql`(r.created_at, r.request_id, r.connection_id)`;
}

function placeOf(sql: Sql, position: Position) {
  const { requestId, connectionId } = tieOf(position);
  return sql`(${position.createdAt}, ${requestId}, ${connectionId})`;
}

function isUnseen(sql: Sql, { after, seen }: InboxPlace) {
  return sql`and ${place(sql)} > ${placeOf(sql, after)}
    and ${sql.unsafe(INBOX_MARK)} <> all(${seen.map((mark) => mark.hash)}::text[])`;
}

function hasStatus(sql: Sql, status: PaymentRequestStatus | undefined, now: Date) {
  if (status === undefined) return sql`true`;
  if (status === 'pending') return sql`r.status = 'pending' and r.expires_at >= ${now}`;
  if (status === 'expired')
    return sql`(r.status = 'expired' or (r.status = 'pending' and r.expires_at < ${now}))`;
  return sql`r.status = ${status}`;
}

/** Every request of the organization with this id; more than one when two of its connections have it. */
export async function findForMerchant(
  sql: Sql,
  merchantId: string,
  choice: { requestId: string; connectionId: string | null },
  now: Date,
): Promise<ListedRow[]> {
  return sql<ListedRow[]>`
    select r.merchant_id, r.connection_id, r.request_id, r.created_at, r.status = 'pending' and r.expires_at < ${now} as is_overdue,
           ${sql.unsafe(RECORD_JSON)} as record
    from payment_requests r
    where r.merchant_id = ${merchantId} and r.request_id = ${choice.requestId}
      and r.connection_id = coalesce(${choice.connectionId}::id, r.connection_id)
    order by r.connection_id limit 2`;
}
