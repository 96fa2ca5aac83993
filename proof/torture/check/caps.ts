import { finding, groupBy, type Invariant } from './evidence.ts';

const USED = ['intent_created', 'signed', 'broadcasted', 'confirmed'];
const SCALE = 30;

/** Exact: an amount in units of the smallest fraction that any check reads. */
function units(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

const sum = (rows: readonly { amount: string }[]) =>
  rows.reduce((total, row) => total + units(row.amount), 0n);

/** What agents have under a policy never comes to more than the highest limit its user ever set. */
const capsNeverPassed: Invariant = ({ tables, attempts }) => {
  const result = finding();
  const highest = highestLimits(attempts);
  const byPolicy = groupBy(
    tables.agent_payments.filter((row) => row.policy_id !== null),
    (row) => row.policy_id ?? '',
  );
  for (const policy of tables.automation_policies) {
    const payments = byPolicy.get(policy.policy_id) ?? [];
    const set = [policy.cumulative_limit, ...(highest.get(policy.policy_id) ?? [])].filter(
      (each) => each !== null,
    );
    const most = set.map(units).reduce((a, b) => (b > a ? b : a), 0n);
    const used = sum(payments.filter((row) => USED.includes(row.status)));
    if (payments.length > 0)
      result.expect(used <= most, () => `${policy.policy_id}: ${used} units used of ${most}`);
    const { single_tx_limit: single } = policy;
    for (const row of payments) {
      result.expect(
        single !== null && units(row.amount) <= units(single) && row.initiated_by === 'agent',
        () => `${row.agent_payment_id} of ${row.amount} is above ${single}`,
      );
    }
  }
  return result;
};

/** Limits that a policy ever had in a response or in a request, with a response or without. */
function highestLimits(attempts: Parameters<Invariant>[0]['attempts']): Map<string, string[]> {
  const limits = new Map<string, string[]>();
  const add = (id: unknown, limit: unknown) => {
    if (typeof id === 'string' && typeof limit === 'string')
      limits.set(id, [...(limits.get(id) ?? []), limit]);
  };
  for (const { method, path, sent, answer } of attempts) {
    if (!path.startsWith('/v1/automation-policies')) continue;
    add(answer?.body?.data?.id, answer?.body?.data?.cumulative_limit);
    if (method === 'PATCH')
      add(/^\/v1\/automation-policies\/([^/]+)$/.exec(path)?.[1], sent?.cumulative_limit);
  }
  return limits;
}

/** The spent and reserved amounts of a policy equal the sums over its payments. */
const usageEqualsPayments: Invariant = ({ tables }) => {
  const result = finding();
  const byPolicy = groupBy(tables.agent_payments, (row) => row.policy_id ?? 'none');
  for (const policy of tables.automation_policies) {
    const payments = byPolicy.get(policy.policy_id) ?? [];
    const spent = sum(payments.filter((row) => row.status === 'confirmed'));
    const reserved = sum(payments.filter((row) => row.status !== 'confirmed' && USED.includes(row.status)));
    result.expect(
      spent === units(policy.spent) && reserved === units(policy.reserved),
      () =>
        `${policy.policy_id} has ${policy.spent} + ${policy.reserved}, its payments ${spent} + ${reserved} units`,
    );
  }
  return result;
};

/** An agent's payment without a policy that speaks for it does not exist. */
const agentPaymentsHaveAPolicy: Invariant = ({ tables }) => {
  const result = finding();
  const policies = new Map(tables.automation_policies.map((row) => [row.policy_id, row]));
  for (const row of tables.agent_payments) {
    if (row.initiated_by !== 'agent') continue;
    const policy = policies.get(row.policy_id ?? '');
    result.expect(
      policy?.connection_id === row.connection_id && policy.merchant_id === row.merchant_id,
      () => `${row.agent_payment_id} has no policy of its connection`,
    );
  }
  return result;
};

export const CAP_RULES = {
  'caps never passed': capsNeverPassed,
  'usage equals payments': usageEqualsPayments,
  'agent payments have a policy': agentPaymentsHaveAPolicy,
};
