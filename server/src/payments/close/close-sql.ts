import type { PaymentRequestStatus } from '@payassent/protocol';
import type postgres from '../../../vendor/postgres/src/index.js';
import type { Sql } from '../../db/open.ts';
import { endingOf, isEnded, isRecalled, type Recall } from './when-ended.ts';

/** Identifies a request: ids are only unique within a connection. */
export interface RequestName {
  merchant_id: string;
  connection_id: string;
  request_id: string;
}

/** Which pending requests to close. Rows are locked in the order of their primary key, as everywhere. */
export type RequestSelection =
  /** Those about to be shown to a caller. */
  | { kind: 'requests'; requests: readonly RequestName[] }
  /** Overdue ones of a connection that is being polled. */
  | { kind: 'overdue_of_connection'; merchantId: string; connectionId: string; limit: number }
  /** Recalled ones of a connection that is being polled. */
  | { kind: 'recalled_of_connection'; merchantId: string; connectionId: string; limit: number }
  /** Overdue ones that no other process has locked. */
  | { kind: 'overdue'; limit: number }
  /** What is left of a revoked connection and not locked by another process. */
  | { kind: 'revoked_connection'; merchantId: string; connectionId: string; limit: number }
  /** One that its agent withdraws, unless it has already ended. */
  | ({ kind: 'withdrawn'; reason: WithdrawalReason } & RequestName)
  /** What is left of a recall and not locked by another process. */
  | ({ kind: 'recalled'; limit: number } & Recall);

/** Why an agent withdraws a request. */
export type WithdrawalReason = 'withdrawn_by_agent' | 'superseded';

export interface ClosedRow extends RequestName {
  wallet_id: string;
  status: Extract<PaymentRequestStatus, 'expired' | 'rejected'>;
  reason: string | null;
  /** Only for those about to be shown to a caller. */
  record: string | null;
  event: string | null;
  deliveries: number;
}

/** Whether a caller is about to see what ends, and needs it as JSON. */
export const isShownTo = ({ kind }: RequestSelection): boolean => kind === 'requests' || kind === 'withdrawn';

/**
 * What is to end, when, why and by whose act, each with the id of its event, derived from `seed`. Of one merchant,
 * where the statement is about one.
 */
export function dueRows(
  sql: Sql,
  selection: RequestSelection,
  now: Date,
  seed: string,
  merchantId?: string,
): postgres.PendingQuery<postgres.Row[]> {
  const name = sql`r.merchant_id, r.request_id, r.connection_id,
    ('evt_' || substr(${seed}::text, 5, 10)
      || upper(substr(md5(${seed}::text || r.connection_id || ' ' || r.request_id), 1, 16)))::id as event_id`;
  const due = sql`
    ${name}, e.at, e.reason, e.actor, case when e.reason is null then 'expired' else 'rejected' end as status`;
  const ending = sql`cross join lateral ${endingOf(sql, 'r', now)} e`;
  switch (selection.kind) {
    case 'requests':
      return sql`
        select ${due}
        from payment_requests r join unnest(
          ${selection.requests.map((row) => row.merchant_id)}::id[],
          ${selection.requests.map((row) => row.request_id)}::id[],
          ${selection.requests.map((row) => row.connection_id)}::id[]) as s(merchant_id, request_id, connection_id)
          on r.merchant_id = s.merchant_id and r.request_id = s.request_id and r.connection_id = s.connection_id ${ending}
        where r.status = 'pending'
        order by r.merchant_id, r.request_id, r.connection_id for update of r`;
    case 'withdrawn':
      return sql`
        select ${name}, ${now}::timestamptz as at, ${selection.reason}::text as reason, 'agent' as actor,
               'expired' as status
        from payment_requests r
        where r.merchant_id = ${selection.merchant_id} and r.request_id = ${selection.request_id}
          and r.connection_id = ${selection.connection_id} and r.status = 'pending' and not ${isEnded(sql, now)}
        for update of r`;
    case 'overdue_of_connection':
    case 'recalled_of_connection':
      return sql`
        select ${due} from (
            select r.* from pending_requests r
            where r.merchant_id = ${selection.merchantId} and r.connection_id = ${selection.connectionId}
              and ${selection.kind === 'overdue_of_connection' ? sql`r.expires_at < ${now}` : sql.unsafe(isRecalled('r'))}
            order by r.merchant_id, r.request_id, r.connection_id
          ) p ${itsRequest(sql, sql`for update`)} ${ending}
        limit ${selection.limit}`;
    // In the order of an index, skipping locked rows: their holder closes them.
    case 'overdue':
      return sql`
        select ${due} from (
            select p.* from pending_requests p
            where p.expires_at at time zone 'UTC' < ${now}::timestamptz at time zone 'UTC'
              ${merchantId === undefined ? sql`` : sql`and p.merchant_id = ${merchantId}`}
            order by p.expires_at at time zone 'UTC'
          ) p ${itsRequest(sql, sql`for update skip locked`)} ${ending}
        limit ${selection.limit}`;
    case 'revoked_connection':
      return sql`
        select ${due} from pending_requests p ${itsRequest(sql, sql`for update skip locked`)} ${ending}
        where p.merchant_id = ${selection.merchantId} and p.connection_id = ${selection.connectionId}
        limit ${selection.limit}`;
    // Scans all that the merchant has pending: recalls are rare, and an index for them would be written by every
    // create.
    case 'recalled':
      return sql`
        select ${due} from pending_requests p ${itsRequest(sql, sql`for update skip locked`)} ${ending}
        where p.merchant_id = ${selection.merchantId} and p.recipient_id = ${selection.recipientId}
          and p.recall_generation < ${selection.generation}
        limit ${selection.limit}`;
  }
}

/**
 * The request of row `p`, as long as it awaits a decision; `p` may be older than its end. A subquery with a limit: for
 * a plain join the planner applies what it knows of the connection to the request, and reads all of the connection's
 * requests for each. They are locked one by one, as far as the statement's limit goes.
 */
function itsRequest(sql: Sql, lock = sql``) {
  return sql`cross join lateral (
    select r.* from payment_requests r
    where r.merchant_id = p.merchant_id and r.request_id = p.request_id and r.connection_id = p.connection_id
      and r.status = 'pending'
    limit 1 ${lock}
  ) r`;
}

/** Includes rows locked by others. */
export async function hasPendingOfConnection(
  sql: Sql,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
): Promise<boolean> {
  const rows = await sql`
    select from pending_requests p ${itsRequest(sql)}
    where p.merchant_id = ${merchantId} and p.connection_id = ${connectionId} limit 1`;
  return rows.length > 0;
}

/** Includes rows locked by others. */
export async function hasPendingOfRecall(sql: Sql, recall: Recall): Promise<boolean> {
  const rows = await sql`
    select from pending_requests p ${itsRequest(sql)}
    where p.merchant_id = ${recall.merchantId} and p.recipient_id = ${recall.recipientId}
      and p.recall_generation < ${recall.generation} limit 1`;
  return rows.length > 0;
}
