import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { versionConflict } from '../../errors.ts';
import { refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { acceptPayees, type Consent } from './accept.ts';
import { actorOf, announcePolicy } from './announce.ts';
import { lookUpPayees } from './look-up-payees.ts';
import { impossible, moverOf, openPolicy } from './open-policy.ts';
import { pinned } from './pins.ts';
import type { PolicyChange } from './schema.ts';
import { updatePolicy } from './sql.ts';
import { mergeThresholds, refuseIncomplete } from './thresholds.ts';

/**
 * New thresholds. Anyone who changes what the user has accepted takes the consent away with it: the policy is a draft
 * again, also when it was paused. The user's own change is a consent, so it must leave the policy complete and accepts
 * only payees that the user has seen in it.
 */
export async function changePolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
  input: PolicyChange,
): Promise<Consent> {
  const { policy, connection } = await openPolicy(tx, act, caller, policyId);
  // Before the version: the revocation raised it, and reading again would not help the caller.
  refuseRevoked(connection);
  const { merchant_id: merchantId } = policy;
  const values = mergeThresholds(policy, input);
  const payees = await lookUpPayees(tx, merchantId, values.allowlist);
  if (policy.version !== input.version) throw versionConflict(policy.version);
  if (policy.status === 'expired' || policy.status === 'revoked') throw impossible(policy, 'draft', caller);
  if (caller.principal.kind !== 'wallet' || policy.status === 'draft') {
    const allowlist = pinned(values.allowlist, payees);
    const draft = { ...values, allowlist, proposed: null, status: 'draft' as const, opted_in_at: null };
    await updatePolicy(tx, policy, draft, moverOf(caller), act.now);
  } else {
    refuseIncomplete(values, act.now);
    const accepted = await acceptPayees(tx, act, policy, values.allowlist, payees);
    if (accepted.refusal) return accepted;
    const { allowlist } = accepted;
    const { status } = policy;
    await updatePolicy(
      tx,
      policy,
      { ...values, allowlist, proposed: null, status, opted_in_at: act.now },
      'wallet',
      act.now,
    );
  }
  return { policy: await announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'updated') };
}
