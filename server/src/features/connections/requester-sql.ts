import type { Sql } from '../../db/open.ts';

/** Columns of `RequesterRow`; `a` is the agent's row, `m` the merchant's. The oldest proof names the merchant,
 * unless the operator of the service has suspended it. */
export function requesterColumns(sql: Sql) {
  return sql`
    a.agent_id, a.name as agent_name, a.runtime as agent_runtime, m.merchant_id, m.name as merchant_name,
    (select d.domain from domains d
     where d.merchant_id = m.merchant_id and d.status = 'verified' and d.deleted_at is null and m.suspended_at is null
     order by d.verified_at, d.domain_id limit 1) as verified_domain`;
}
