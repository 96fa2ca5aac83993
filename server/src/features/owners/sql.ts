import type { Sql } from '../../db/open.ts';

export interface OwnerRow {
  account_id: string;
  email: string;
  /** An owner since then: signed in, and with this role. */
  since: Date;
  organization_since: Date;
}

/** Those who have signed in: an invitation alone keeps no organization. */
export async function selectActiveOwners(sql: Sql, merchantId: string): Promise<OwnerRow[]> {
  return sql<OwnerRow[]>`
    select o.account_id, a.email, greatest(o.joined_at, o.role_since) as since, m.created_at as organization_since
    from merchant_operators o join accounts a using (account_id) join merchants m using (merchant_id)
    where o.merchant_id = ${merchantId} and o.role = 'owner' and o.joined_at is not null
    order by o.account_id`;
}
