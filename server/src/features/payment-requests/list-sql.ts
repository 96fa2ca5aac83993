import { PAYMENT_REQUEST_STATUSES, type PaymentRequestStatus } from '@payassent/protocol';
import type { Database, Sql } from '../../db/open.ts';
import type { Position } from '../../http/page.ts';
import { endingOf, isEnded, isEndedByAct } from '../endings/ending.ts';
import { INBOX_MARK, type InboxPlace, tieOf } from './inbox-cursor.ts';
import { RECORD_JSON } from './record-json.ts';
import type { RequestName } from './settle-sql.ts';

/** Whose requests a list may show. */
export type Owner =
  | { kind: 'connection'; merchantId: string; connectionId: string }
  | { kind: 'merchant'; merchantId: string }
  | { kind: 'wallet'; walletId: string };

export interface ListFilter {
  /** Those of any status when absent. */
  statuses: readonly PaymentRequestStatus[] | undefined;
  connectionId: string | undefined;
  recipientId: string | undefined;
  idempotencyKey?: string | undefined;
  /** Inclusive. */
  createdAfter?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
  /** Only what is older than this place in the list. */
  before?: Position | undefined;
  /** Only what is newer and not yet seen; the oldest of it come first. */
  after?: InboxPlace | undefined;
  limit: number;
}

export interface ListedRow extends RequestName {
  created_at: Date;
  is_ended: boolean;
  record: string;
}

export const LISTED_COLUMNS = `r.merchant_id, r.connection_id, r.request_id, r.created_at, ${RECORD_JSON} as record`;

/** One page. What has ended counts as what it will be settled as, whether somebody has done so already or not. */
export async function listRequests(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  now: Date,
): Promise<ListedRow[]> {
  return db<ListedRow[]>`${listQuery(db, owner, filter, now)}`;
}

export function listQuery(sql: Sql, owner: Owner, filter: ListFilter, now: Date) {
  return sql`
    select ${sql.unsafe(LISTED_COLUMNS)}, ${isEnded(sql, now)} as is_ended
    from (${listedRows(sql, owner, filter, now)}) r order by ${orderOf(sql, filter)}`;
}

/** What the page may show, and whether it passes the sieve: for questions that no index answers. */
export interface SiftedRow extends RequestName {
  created_at: Date;
  passes: boolean;
}

export interface Sieve {
  recipientId: string | undefined;
  /** Part of payee name, domain or request id, without case. */
  words: string | undefined;
}

export async function siftRequests(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  { recipientId, words }: Sieve,
  now: Date,
): Promise<SiftedRow[]> {
  const hasWords = db`(
    select bool_or(strpos(lower(shown), lower(${words ?? ''})) > 0)
    from unnest(array[r.payee->>'name', r.payee->>'domain', r.request_id::text]) shown)`;
  return db<SiftedRow[]>`
    select r.merchant_id, r.connection_id, r.request_id, r.created_at,
           ${recipientId === undefined ? db`true` : db`r.recipient_id = ${recipientId}`}
             and ${words === undefined ? db`true` : hasWords} as passes
    from (${listedRows(db, owner, filter, now)}) r order by ${orderOf(db, filter)}`;
}

export async function findListed(
  db: Database,
  names: readonly RequestName[],
  now: Date,
): Promise<ListedRow[]> {
  return db<ListedRow[]>`
    select ${db.unsafe(LISTED_COLUMNS)}, ${isEnded(db, now)} as is_ended
    from unnest(
        ${names.map((row) => row.merchant_id)}::id[], ${names.map((row) => row.request_id)}::id[],
        ${names.map((row) => row.connection_id)}::id[]) with ordinality as s(merchant_id, request_id, connection_id, n)
      join payment_requests r
        on r.merchant_id = s.merchant_id and r.request_id = s.request_id and r.connection_id = s.connection_id
    order by s.n`;
}

function orderOf(sql: Sql, { after }: ListFilter) {
  return after
    ? sql`r.created_at, r.request_id, r.connection_id`
    : sql`r.created_at desc, r.request_id desc, r.connection_id desc`;
}

/**
 * Every index that a list can use has the status before the time, so a list of several is one scan for each status,
 * merged. Each part reads as many rows as the page holds and no more. The records are written for those that are shown
 * only. `pending` is spelled out, because what is pending for a payee has an index of its own.
 */
function listedRows(sql: Sql, owner: Owner, filter: ListFilter, now: Date) {
  const { statuses, limit } = filter;
  const has = (status: PaymentRequestStatus) => statuses?.includes(status) ?? false;
  const stored = statuses?.filter((status) => status !== 'pending') ?? PAYMENT_REQUEST_STATUSES;
  const order = orderOf(sql, filter);
  const page = sql`${chosenBy(sql, owner, filter)} order by ${order} limit ${limit}`;
  const byAct = sql.unsafe(isEndedByAct('r'));
  const reason = sql`(select e.reason from ${endingOf(sql, 'r', now)} e)`;
  const rowsWhere = (condition: ReturnType<Sql>) =>
    sql`(select r.* from payment_requests r where ${condition} ${page})`;
  const parts = [
    ...(stored.length === 0
      ? []
      : [
          sql`(select r.* from unnest(${[...stored]}::text[]) s(status)
            cross join lateral ${rowsWhere(sql`${belongsTo(sql, owner)} and r.status = s.status`)} r)`,
        ]),
    ...(has('pending')
      ? [
          rowsWhere(sql`${belongsTo(sql, owner)} and r.status = 'pending' and r.expires_at >= ${now}
            and not (${hasOpenWork(sql, owner)} and ${byAct})`),
        ]
      : []),
    ...(has('rejected')
      ? [
          rowsWhere(sql`${belongsTo(sql, owner)} and r.status = 'pending' and ${hasOpenWork(sql, owner)}
            and ${reason} is not null`),
        ]
      : []),
    ...(has('expired') ? [rowsWhere(sql`${isOverdueOf(sql, owner, now)} and ${reason} is null`)] : []),
  ];
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  return sql`select r.* from (${all}) r order by ${order} limit ${limit}`;
}

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

/**
 * Whether a revocation or a recall that concerns the owner is still being worked off. Asked once a statement: only then
 * pending rows are searched for those that have ended.
 */
function hasOpenWork(sql: Sql, owner: Owner) {
  if (owner.kind === 'wallet')
    return sql`(
      exists (select from connection_revocations w where w.wallet_id = ${owner.walletId})
      or exists (
        select from connections c join agent_revocations g on g.agent_id = c.agent_id
        where c.wallet_id = ${owner.walletId} and c.status <> 'revoked')
      or exists (
        select from connections c join recipient_recalls k on k.merchant_id = c.merchant_id and k.swept_at is null
        where c.wallet_id = ${owner.walletId}))`;
  const { merchantId } = owner;
  return sql`(
    exists (select from recipient_recalls k where k.merchant_id = ${merchantId} and k.swept_at is null)
    or exists (select from connection_revocations w where w.merchant_id = ${merchantId})
    or exists (select from agent_revocations g where g.merchant_id = ${merchantId}))`;
}

/** Few at any time, because the sweeper follows them: by their time, and not through all that the owner has pending. */
function isOverdueOf(sql: Sql, owner: Owner, now: Date) {
  const overdue = sql`r.status = 'pending' and r.expires_at < ${now}`;
  switch (owner.kind) {
    case 'connection':
      return sql`${overdue} and ${belongsTo(sql, owner)}`;
    case 'merchant':
      return sql`${overdue} and r.merchant_id || '' = ${owner.merchantId}`;
    case 'wallet':
      return sql`${overdue} and r.wallet_id || '' = ${owner.walletId}`;
  }
}

function chosenBy(sql: Sql, owner: Owner, filter: ListFilter) {
  const { connectionId, recipientId, idempotencyKey, createdAfter, createdBefore, before, after } = filter;
  const own = owner.kind === 'connection' ? owner.connectionId : null;
  return sql`
    ${createdAfter === undefined ? sql`` : sql`and r.created_at >= ${createdAfter}`}
    ${createdBefore === undefined ? sql`` : sql`and r.created_at < ${createdBefore}`}
    ${
      idempotencyKey === undefined
        ? sql``
        : sql`and r.request_id = (
            select k.request_id from payment_requests k
            where k.connection_id = ${own} and k.idempotency_key = ${idempotencyKey})`
    }
    ${connectionId === undefined ? sql`` : sql`and r.connection_id = ${connectionId}`}
    ${recipientId === undefined ? sql`` : sql`and r.recipient_id = ${recipientId}`}
    ${before ? sql`and ${place(sql)} < ${placeOf(sql, before)}` : sql``}
    ${after ? isUnseen(sql, after) : sql``}`;
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
