import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { versionConflict } from '../../errors.ts';
import { refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { actorOf, announcePolicy } from './announce.ts';
import { impossible, openPolicy } from './open-policy.ts';
import type { PolicyChange } from './schema.ts';
import { type PolicyState, type ThresholdValues, updatePolicy } from './sql.ts';
import { mergeThresholds, pinAllowlist, refuseIncomplete, refuseUnknownRecipients } from './thresholds.ts';
import type { PolicyRow } from './view.ts';

/**
 * New thresholds. Whoever changes what the user has accepted takes the consent away with it: the policy is a draft
 * again, also when it was paused. The user's own change is a consent, so it must leave the policy complete.
 */
export async function changePolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
  input: PolicyChange,
): Promise<PolicyRow> {
  const { policy, connection } = await openPolicy(tx, act, caller, policyId);
  // Before the version: the revocation raised it, and reading again would not help the caller.
  refuseRevoked(connection);
  const { merchant_id: merchantId } = policy;
  await refuseUnknownRecipients(tx, merchantId, input.allowlist);
  if (policy.version !== input.version) throw versionConflict(policy.version);
  if (policy.status === 'expired' || policy.status === 'revoked') throw impossible(policy, 'draft', caller);
  const values = mergeThresholds(policy, input);
  await updatePolicy(tx, policy, await stateAfter(tx, act, caller, policy, values), act.now);
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'updated');
}

async function stateAfter(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policy: PolicyRow,
  values: ThresholdValues,
): Promise<PolicyState> {
  if (caller.principal.kind !== 'wallet' || policy.status === 'draft')
    return { ...values, status: 'draft', opted_in_at: null };
  refuseIncomplete(values, act.now);
  const allowlist = await pinAllowlist(tx, policy.merchant_id, values.allowlist);
  return { ...values, allowlist, status: policy.status, opted_in_at: act.now };
}
