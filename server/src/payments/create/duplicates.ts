import { normaliseDecimal, type PaymentRequestStatus } from '@payassent/protocol';
import { ofMerchant } from '../../db/layout.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';

/** What two requests have in common when one may be a duplicate of the other. */
export interface SamePayment {
  merchantId: string;
  connectionId: string;
  recipientId: string;
  amount: string;
}

interface Duplicate {
  request_id: string;
  status: PaymentRequestStatus;
  created_at: Date;
}

/** As part of the statement's text: the planner does not know that a parameter is small. */
const MOST_NAMED = '5';

/**
 * The newest requests that a create of row `i` in connection `c` may repeat; `v` has the generation of the payee, older
 * ones of which were recalled. One probe of a narrow index, in whose whole order they are read: ordered by time alone,
 * the planner reads all of them and sorts. The index has no status, so that a decision need not update it: failed
 * payments of the same 24 hours are read and skipped. The connection's rate limit of creates bounds their number.
 */
function possibleDuplicates(sql: Sql, now: Date) {
  return sql`(
    select r.request_id, r.status, r.created_at from payment_requests r
    where r.merchant_id = c.merchant_id and same_payment(r.connection_id, r.recipient_id, r.amount)
        = same_payment(c.connection_id, i.recipient_id, i.amount) and ${isDuplicate(sql, now)}
    order by same_payment(r.connection_id, r.recipient_id, r.amount), r.created_at desc
    limit ${sql.unsafe(MOST_NAMED)})`;
}

/** The CASE stops the planner from overestimating the selectivity of conditions that no index covers. */
function isDuplicate(sql: Sql, now: Date) {
  return sql`r.created_at > ${now}::timestamptz - interval '24 hours'
    and r.status in ('pending', 'signed', 'broadcasted', 'confirmed')
    and case when r.connection_id = c.connection_id and r.recipient_id = i.recipient_id
        and r.amount::numeric = i.amount::numeric and r.request_id is distinct from i.supersedes
      then r.status <> 'pending' or r.expires_at >= ${now} and r.recall_generation >= v.recall_generation end`;
}

/** Their ids as a JSON list, or null: for the statement that stores the request. */
export function duplicateIds(sql: Sql, now: Date) {
  return sql`(select '[' || string_agg(to_json(d.request_id::text)::text, ',') || ']'
    from ${possibleDuplicates(sql, now)} d)`;
}

/** Newest first; with `named`, that one alone, if it is one of them. */
export function findDuplicates(
  sql: Sql,
  { merchantId, connectionId, recipientId, amount }: SamePayment,
  choice: { supersedes: string | null; named: string | null },
  now: Date,
): Promise<Duplicate[]> {
  const { supersedes, named } = choice;
  const own = ofMerchant(sql, merchantId);
  const found =
    named === null
      ? possibleDuplicates(own, now)
      : own`(
          select r.request_id, r.status, r.created_at from payment_requests r
          where r.merchant_id = ${merchantId} and r.request_id = ${named} and r.connection_id = c.connection_id
            and ${isDuplicate(own, now)})`;
  return own<Duplicate[]>`
    select d.* from (select ${merchantId}::id as merchant_id, ${connectionId}::id as connection_id) c
      cross join (
        select ${recipientId}::id as recipient_id, ${amount}::text as amount, ${supersedes}::id as supersedes
      ) i
      join recipients v on v.recipient_id = i.recipient_id and v.merchant_id = ${merchantId}
      cross join lateral ${found} d
    order by d.created_at desc`;
}

/**
 * Serializes equal creates that refuse duplicates, across processes: the next statement sees what the previous one
 * stored.
 */
export async function lockPayment(
  tx: Tx,
  same: { connection_id: string; recipient_id: string; amount: string },
): Promise<void> {
  const name = `payment ${same.connection_id} ${same.recipient_id} ${normaliseDecimal(same.amount)}`;
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

export function duplicateRefusal(duplicates: readonly Duplicate[]): AppError {
  return new AppError('possible_duplicate', { details: { requests: duplicates } });
}
