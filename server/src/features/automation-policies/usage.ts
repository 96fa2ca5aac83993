import type { Tx } from '../../db/open.ts';

/**
 * Enforces the cap. One statement compares and reserves on the current row, so that no number of callers, processes or
 * crashes can reserve more than the limit. It also checks that the policy is still the one that was judged and that its
 * window is open. True when the amount is reserved.
 */
export async function reserveAmount(
  tx: Tx,
  policy: { policyId: string; merchantId: string; version: number },
  amount: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update automation_policies
    set reserved = reserved + ${amount}::text::numeric
    where policy_id = ${policy.policyId} and merchant_id = ${policy.merchantId} and version = ${policy.version}
      and status = 'active' and valid_from <= ${now} and valid_until > ${now}
      and spent + reserved + ${amount}::text::numeric <= cumulative_limit::numeric
    returning policy_id`;
  return rows.length > 0;
}

export interface UsageChange {
  policyId: string;
  amount: string;
  /** A confirmed payment is spent; a failed one is released. */
  to: 'spent' | 'released';
}

/**
 * Moves amounts out of the reservations of a merchant's policies. They are locked in their order, after everything
 * else.
 */
export async function settleUsage(tx: Tx, merchantId: string, changes: readonly UsageChange[]) {
  if (changes.length === 0) return;
  const input = JSON.stringify(
    changes.map(({ policyId, amount, to }) => ({ policy_id: policyId, amount, is_spent: to === 'spent' })),
  );
  await tx`
    with change as (
      select policy_id, sum(amount) as amount, sum(amount) filter (where is_spent) as spent
      from json_to_recordset(${input}::text::json) as c(policy_id text, amount numeric, is_spent boolean)
      group by policy_id
    ), held as materialized (
      select p.policy_id, change.amount, coalesce(change.spent, 0) as spent
      from automation_policies p join change on change.policy_id = p.policy_id
      where p.merchant_id = ${merchantId}
      order by p.policy_id for update of p
    )
    update automation_policies p set reserved = p.reserved - held.amount, spent = p.spent + held.spent
    from held where p.merchant_id = ${merchantId} and p.policy_id = held.policy_id`;
}
