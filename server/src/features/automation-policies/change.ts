import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, versionConflict } from '../../errors.ts';
import { holdConnection, type ProjectConnection, refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { actorOf, announcePolicy } from './announce.ts';
import {
  mergeThresholds,
  NO_THRESHOLDS,
  type PolicyChange,
  type PolicyInput,
  refuseIncomplete,
} from './checks.ts';
import { acceptPayees, type Consent } from './consent.ts';
import { impossible, lookUpPayees, moverOf, openPolicy } from './open-policy.ts';
import { pinned } from './pins.ts';
import { countOpenPolicies, updatePolicy } from './sql.ts';
import type { PolicyRow } from './view.ts';

/**
 * A draft, no matter who writes it: nothing may be paid under it until the user opts in. It shows each Recipient in the
 * version that is active now, and the user can accept that one only.
 */
export async function createPolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  input: PolicyInput,
  cap: number,
): Promise<PolicyRow> {
  const connection = await holdConnection(tx, caller, input.connection_id, 'policy');
  const { merchant_id: merchantId } = connection;
  const values = mergeThresholds(NO_THRESHOLDS, input);
  const payees = await lookUpPayees(tx, merchantId, values.allowlist);
  refuseRevoked(connection);
  await refuseBeyondCap(tx, act, connection, cap);
  const policyId = act.newId('pol');
  const allowlist = pinned(values.allowlist, payees);
  await tx`insert into automation_policies ${tx({
    policy_id: policyId,
    merchant_id: merchantId,
    agent_id: connection.agent_id,
    connection_id: connection.connection_id,
    wallet_id: connection.wallet_id,
    network: input.network,
    asset: input.asset,
    issuer: input.issuer ?? '',
    status: 'draft',
    ...values,
    allowlist: allowlist === null ? null : tx.json(allowlist as never),
    created_at: act.now,
    updated_at: act.now,
  })}`;
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'created');
}

/** Those who write policies of one connection take turns, so counting is enough. */
async function refuseBeyondCap(
  tx: Tx,
  act: Act,
  { merchant_id: merchantId, connection_id: connectionId }: ProjectConnection,
  cap: number,
): Promise<void> {
  if (cap === Number.POSITIVE_INFINITY) return;
  if ((await countOpenPolicies(tx, { merchantId, connectionId }, cap, act.now)) < cap) return;
  throw new AppError('limit_reached', {
    message: `A connection has at most ${cap} open policies: revoke those that are no longer needed.`,
    details: { limit: cap },
  });
}

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
