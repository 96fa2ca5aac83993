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
  status: PaymentRequestStatus | undefined;
  connectionId: string | undefined;
  recipientId: string | undefined;
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

/**
 * Every index that a list can use has the status before the time, so a list of all is one scan for each status, merged.
 * Each part reads as many rows as the page holds and no more. The records are written for those that are shown only.
 * `pending` is spelled out, because what is pending for a payee has an index of its own.
 */
export function listQuery(sql: Sql, owner: Owner, filter: ListFilter, now: Date) {
  const { status, limit } = filter;
  const order = filter.after
    ? sql`r.created_at, r.request_id, r.connection_id`
    : sql`r.created_at desc, r.request_id desc, r.connection_id desc`;
  const chosen = chosenBy(sql, filter);
  const page = sql`${chosen} order by ${order} limit ${limit}`;
  const byAct = sql.unsafe(isEndedByAct('r'));
  const reason = sql`(select e.reason from ${endingOf(sql, 'r', now)} e)`;
  const stillPending = sql`and r.expires_at >= ${now} and not (${hasOpenWork(sql, owner)} and ${byAct})`;
  return sql`
    select ${sql.unsafe(LISTED_COLUMNS)}, ${isEnded(sql, now)} as is_ended
    from (
      select r.* from (
        select r.* from unnest(${status === undefined ? [...PAYMENT_REQUEST_STATUSES] : [status]}::text[]) s(status)
          cross join lateral (
            select r.* from payment_requests r
            where ${belongsTo(sql, owner)}
              and ${status === 'pending' ? sql`r.status = 'pending' ${stillPending}` : sql`r.status = s.status`} ${page}
          ) r
        ${
          status === 'rejected'
            ? sql`union all (
                select r.* from payment_requests r
                where ${belongsTo(sql, owner)} and r.status = 'pending' and ${hasOpenWork(sql, owner)}
                  and ${reason} is not null ${page})`
            : sql``
        }
        ${
          status === 'expired'
            ? sql`union all (
                select r.* from payment_requests r
                where ${isOverdueOf(sql, owner, now)} and ${reason} is null ${page})`
            : sql``
        }
      ) r order by ${order} limit ${limit}
    ) r order by ${order}`;
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

function chosenBy(sql: Sql, filter: ListFilter) {
  const { connectionId, recipientId, before, after } = filter;
  return sql`
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
