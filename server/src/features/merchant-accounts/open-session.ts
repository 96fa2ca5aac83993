import type { Sql } from '../../db/open.ts';

/** As a condition on a row `s` of merchant_sessions; the idle time-out is checked when the session is used. */
export function sessionIsOpen(sql: Sql, now: Date) {
  return sql`(s.ended_at is null and s.expires_at >= ${now} and exists (
    select from merchant_operators o where o.merchant_id = s.merchant_id and o.account_id = s.account_id))`;
}
