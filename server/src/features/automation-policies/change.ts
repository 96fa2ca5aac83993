import type { AllowlistEntry } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, limitReached, versionConflict } from '../../errors.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { SYSTEM_ACTOR } from '../audit/record.ts';
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
import { impossible, lookUpPayees, moverOf, openPolicy } from './open-policy.ts';
import { areEqual, asShown, type Payees, pinned, pinsOf, refuseUnpayable } from './pins.ts';
import { countOpenPolicies, findOtherActive, updatePolicy } from './sql.ts';
import type { PolicyRow } from './view.ts';

/**
 * A draft in any case: nothing may be paid under it until the customer opts in. It shows each payee in its
 * active version, and the customer can accept that one only.
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

/** Creates of policies of one connection are serialized, so counting is enough. */
async function refuseBeyondCap(
  tx: Tx,
  act: Act,
  { merchant_id: merchantId, connection_id: connectionId }: ProjectConnection,
  cap: number,
): Promise<void> {
  if (cap === Number.POSITIVE_INFINITY) return;
  if ((await countOpenPolicies(tx, { merchantId, connectionId }, cap, act.now)) < cap) return;
  throw limitReached(
    `A connection has at most ${cap} open policies: revoke those that are no longer needed.`,
    cap,
  );
}

/**
 * New thresholds. Any other caller's change of what the customer has accepted ends the consent: the policy is a draft
 * again, even when it was paused. The customer's own change is a consent, so it must leave the policy complete and
 * accepts only payees that the customer has seen in it.
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

/** Only a device of the connection's wallet consents. */
interface UserCaller extends ProjectCaller {
  principal: WalletPrincipal;
}

/**
 * The customer lets the agent pay alone, within exactly what the customer has seen: hence the version. Repeated on an
 * active policy it accepts the proposed versions, and changes nothing when there are none.
 */
export async function optIn(
  tx: Tx,
  act: Act,
  caller: UserCaller,
  policyId: string,
  version: number,
): Promise<Consent> {
  const policy = await openForConsent(tx, act, caller, policyId, version);
  if (policy.status === 'revoked') throw impossible(policy, 'active', caller);
  refuseIncomplete(policy, act.now);
  const { merchant_id: merchantId } = policy;
  const payees = await lookUpPayees(tx, merchantId, policy.allowlist);
  const accepted = await acceptPayees(tx, act, policy, policy.allowlist, payees);
  if (accepted.refusal) return accepted;
  if (policy.status === 'active' && policy.proposed === null) return { policy };
  await refuseSecondActive(tx, policy);
  const { allowlist } = accepted;
  const state = { ...policy, allowlist, proposed: null, status: 'active' as const, opted_in_at: act.now };
  await updatePolicy(tx, policy, state, 'wallet', act.now);
  return { policy: await announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'activated') };
}

/** Resumes with what the customer had accepted; the payees stay pinned as they were. */
export async function resumePolicy(
  tx: Tx,
  act: Act,
  caller: UserCaller,
  policyId: string,
  version: number,
): Promise<PolicyRow> {
  const policy = await openForConsent(tx, act, caller, policyId, version);
  if (policy.status === 'active') return policy;
  if (policy.status !== 'paused') throw impossible(policy, 'active', caller);
  refuseIncomplete(policy, act.now);
  await refuseSecondActive(tx, policy);
  await updatePolicy(tx, policy, { ...policy, status: 'active' }, 'wallet', act.now);
  const { merchant_id: merchantId } = policy;
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'resumed');
}

async function openForConsent(
  tx: Tx,
  act: Act,
  caller: UserCaller,
  policyId: string,
  version: number,
): Promise<PolicyRow> {
  const { policy, connection } = await openPolicy(tx, act, caller, policyId);
  refuseRevoked(connection);
  if (policy.version !== version) throw versionConflict(policy.version);
  return policy;
}

/** Changes of one connection's policies are serialized, so this check is enough; a unique index backs it. */
async function refuseSecondActive(tx: Tx, policy: PolicyRow): Promise<void> {
  const { network, asset, issuer } = policy;
  const subject = { policyId: policy.policy_id, connectionId: policy.connection_id, network, asset, issuer };
  const other = await findOtherActive(tx, policy.merchant_id, subject);
  if (other !== undefined) throw new AppError('policy_conflict', { details: { active_policy_id: other } });
}

/** A rejection that leaves new pins must be committed, so it is returned instead of thrown. */
export type Consent = { policy: PolicyRow; refusal?: undefined } | { refusal: AppError };

type Acceptance = { allowlist: AllowlistEntry[] | null; refusal?: undefined } | { refusal: AppError };

/**
 * Consent covers exactly what the customer has read: each payee in the version that the record shows under the
 * `version` of the call. When another version is active by now nothing is accepted. The record then shows the current
 * versions under a new `version`, so that the customer sees the new payee first.
 */
async function acceptPayees(
  tx: Tx,
  act: Act,
  policy: PolicyRow,
  wanted: readonly AllowlistEntry[] | null,
  payees: Payees,
): Promise<Acceptance> {
  refuseUnpayable(wanted, payees);
  const present = pinned(wanted, payees);
  if (areEqual(asShown(wanted, policy), present)) return { allowlist: present };
  return { refusal: await showPresent(tx, act, policy, present) };
}

/** A draft is pinned again. An active policy keeps its pins, and the current versions are shown with it as proposed. */
async function showPresent(
  tx: Tx,
  act: Act,
  policy: PolicyRow,
  present: AllowlistEntry[] | null,
): Promise<AppError> {
  const change =
    policy.status === 'draft'
      ? { allowlist: present, proposed: null }
      : { proposed: areEqual(present, policy.allowlist) ? null : pinsOf(present) };
  await updatePolicy(tx, policy, { ...policy, ...change }, 'system', act.now);
  const { policy_id: policyId, merchant_id: merchantId } = policy;
  const { version } = await announcePolicy(tx, act, SYSTEM_ACTOR, { policyId, merchantId }, 'updated');
  return new AppError('version_conflict', {
    message:
      'A payee is not the one that this version of the policy shows. Read the policy again and show it to the customer.',
    details: { current_version: version },
  });
}
