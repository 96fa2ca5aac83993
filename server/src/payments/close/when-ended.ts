import type { Moment, Sql } from '../../db/open.ts';

/**
 * What ends a record that awaits a decision, on either surface, without one: its expiry, the revocation of its
 * connection or agent, the recall of its payee. Such an act is one small commit; the records it ends are closed later,
 * by the first call that finds one or by a job. Until then their rows have the status `pending`, and this computes the
 * true one.
 */
const CONNECTION_REVOKED = 'connection_revoked';
const PAYEE_RECALLED = 'payee_recalled';

/** `r` of payment_requests, `o` of agent_payments. */
type Alias = 'r' | 'o';

/** The recall that ends it: the first one after its creation. */
const recallOf = (alias: Alias) => `recipient_recalls k
  where k.merchant_id = ${alias}.merchant_id and k.recipient_id = ${alias}.recipient_id
    and k.generation = ${alias}.recall_generation + 1`;

export const isRecalled = (alias: Alias): string => `((select true from ${recallOf(alias)}) is true)`;

/**
 * Ended by an act. Scalar subqueries, because an `exists` may be turned into a hash of the whole table. An agent loses
 * its connections with its own row, before theirs are processed.
 */
export const isEndedByAct = (alias: Alias): string => `(
  (select c.status from connections c
    where c.merchant_id = ${alias}.merchant_id and c.connection_id = ${alias}.connection_id) = 'revoked'
  or (select a.status from agents a
    where a.merchant_id = ${alias}.merchant_id and a.agent_id = ${alias}.agent_id) = 'revoked'
  or ${isRecalled(alias)})`;

/** Whether a request awaits a decision only because no transaction has closed it yet. */
export function isEnded(sql: Sql, now: Moment) {
  return sql`(r.status = 'pending' and (r.expires_at < ${now} or coalesce(${sql.unsafe(isEndedByAct('r'))}, false)))`;
}

/**
 * When, why and by whose act a record was ended, or no row. The earliest cause counts, so that the outcome does not
 * depend on which transaction closes it, or when. A record never ends before it was created, however the clocks of two
 * processes differ.
 */
export function endingOf(sql: Sql, alias: Alias, now: Date) {
  const own = sql.unsafe(alias);
  return sql`(
    select greatest(x.at, ${own}.created_at) as at, x.reason, x.actor from (values
      ((select coalesce(c.revoked_at, c.updated_at) from connections c
        where c.merchant_id = ${own}.merchant_id and c.connection_id = ${own}.connection_id and c.status = 'revoked'), ${CONNECTION_REVOKED}, 'system'),
      ((select a.updated_at from agents a
        where a.merchant_id = ${own}.merchant_id and a.agent_id = ${own}.agent_id and a.status = 'revoked'),
       ${CONNECTION_REVOKED}, 'system'),
      ((select k.recalled_at from ${sql.unsafe(recallOf(alias))}), ${PAYEE_RECALLED}, 'merchant'),
      (case when ${own}.expires_at < ${now} then ${own}.expires_at end, null, 'system')
    ) x(at, reason, actor)
    where x.at is not null order by x.at, x.reason nulls last limit 1)`;
}

/** One recall of a payee: requests of an older generation than it opened have ended. */
export interface Recall {
  merchantId: string;
  recipientId: string;
  generation: number;
}
