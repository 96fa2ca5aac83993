import type { Attempt } from '../run/history.ts';
import { finding, groupBy, type Invariant, succeeded } from './evidence.ts';

/** A policy as a response showed it: which version of each payee an opt-in to it would accept. */
type Shown = ReadonlyMap<string, string>;

const ACCEPTS = /^\/v1\/automation-policies\/([^/]+)(\/opt-in)?$/;

/**
 * What a user accepted is what was pinned when they read it: the payees of a policy in force, and the payees that an
 * agent paid under it, are those that the policy showed under a version that its user has sent back.
 */
const acceptedAsRead: Invariant = ({ attempts, tables }) => {
  const result = finding();
  const shown = shownPayees(attempts, result);
  const consents = attempts.filter(isConsent);
  for (const attempt of consents) {
    const policy = attempt.answer?.body?.data;
    const seen = shown.get(`${policyOf(attempt)} ${attempt.sent?.version}`);
    if (!succeeded(attempt) || policy.status === 'draft' || !seen) continue;
    for (const payee of policy.allowed_payees)
      result.expect(
        seen.get(payee.recipient_id) === payee.recipient_version_id,
        () =>
          `call ${attempt.n}: ${policy.id} pinned ${payee.recipient_version_id}, version ${attempt.sent.version} showed ${seen.get(payee.recipient_id)}`,
      );
  }
  // Also where the response was lost: whatever is there, some version must have shown it.
  const byPolicy = groupBy(consents, policyOf);
  const acceptable = (policyId: string): { isWhole: boolean; versions: Set<string> } => {
    const sent = (byPolicy.get(policyId) ?? []).map(({ sent }) => shown.get(`${policyId} ${sent?.version}`));
    const versions = new Set(sent.flatMap((seen) => [...(seen?.values() ?? [])]));
    return { isWhole: !sent.includes(undefined), versions };
  };
  for (const policy of tables.automation_policies) {
    const { isWhole, versions } = acceptable(policy.policy_id);
    if (!isWhole || (policy.status !== 'active' && policy.status !== 'paused')) continue;
    for (const { recipient_version_id: pin } of policy.allowlist ?? [])
      if (pin)
        result.expect(versions.has(pin), () => `${policy.policy_id} is in force with ${pin}, never read`);
  }
  const policies = new Map(tables.automation_policies.map((row) => [row.policy_id, row]));
  for (const payment of tables.agent_payments) {
    const { policy_id: policyId, recipient_version_id: paid } = payment;
    if (policyId === null || paid === null) continue;
    const { isWhole, versions } = acceptable(policyId);
    const isByAddress = policies
      .get(policyId)
      ?.allowlist?.some(({ address }) => address === payment.to_address);
    if (!isWhole || isByAddress) continue;
    result.expect(
      versions.has(paid),
      () => `${payment.agent_payment_id} paid ${paid}, which no owner read in ${policyId}`,
    );
  }
  return result;
};

function isConsent({ method, path }: Attempt): boolean {
  const optIn = ACCEPTS.exec(path)?.[2];
  return (method === 'POST' && optIn !== undefined) || (method === 'PATCH' && ACCEPTS.test(path));
}

function policyOf({ path }: Attempt): string {
  return ACCEPTS.exec(path)?.[1] ?? '';
}

/** By policy and version. One version shows the same payees each time, or sending it back would mean nothing. */
function shownPayees(attempts: readonly Attempt[], result: ReturnType<typeof finding>): Map<string, Shown> {
  const shown = new Map<string, Shown>();
  for (const attempt of attempts) {
    const policy = attempt.answer?.body?.data;
    if (!succeeded(attempt) || !Array.isArray(policy?.allowed_payees)) continue;
    const payees = [...policy.allowed_payees, ...(policy.proposed_payees ?? [])];
    const pins = new Map<string, string>(
      payees.map((payee) => [payee.recipient_id, payee.recipient_version_id] as const),
    );
    const name = `${policy.id} ${policy.version}`;
    const before = shown.get(name);
    result.expect(
      before === undefined || [...pins].join() === [...before].join(),
      () => `call ${attempt.n}: ${name} shows ${[...pins]} after ${[...(before ?? [])]}`,
    );
    if (!before) shown.set(name, pins);
  }
  return shown;
}

export const CONSENT_RULES = {
  'accepted payees are those that were read': acceptedAsRead,
};
