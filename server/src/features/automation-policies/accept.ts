import type { AllowlistEntry } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { SYSTEM_ACTOR } from '../audit/record.ts';
import { announcePolicy } from './announce.ts';
import { areEqual, asShown, type Payees, pinned, pinsOf, refuseUnpayable } from './pins.ts';
import { updatePolicy } from './sql.ts';
import type { PolicyRow } from './view.ts';

/** A refusal that leaves new pins behind must be committed, so it is answered instead of thrown. */
export type Consent = { policy: PolicyRow; refusal?: undefined } | { refusal: AppError };

type Acceptance = { allowlist: AllowlistEntry[] | null; refusal?: undefined } | { refusal: AppError };

/**
 * Consent reaches as far as what the user has read: each Recipient in the version that the record shows under the
 * `version` of the call. When another version is active by now nothing is accepted. The record then shows the present
 * versions under a new `version`, so that the user sees the new payee first.
 */
export async function acceptPayees(
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

/** A draft is pinned again. What is in force stays in force, and the present versions stand beside it as proposed. */
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
      'A payee is not the one that this version of the policy shows. Read the policy again and ask the user.',
    details: { current_version: version },
  });
}
