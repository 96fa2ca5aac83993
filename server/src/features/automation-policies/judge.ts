import {
  type AllowlistEntry,
  type AutomationPolicyStatus,
  addDecimals,
  compareDecimals,
  minDecimal,
  NO_ACTIVE_POLICY,
  POLICY_THRESHOLDS,
  type PolicyThreshold,
  type PolicyVerdict,
  subtractDecimalsOrZero,
  type TriggeredThreshold,
} from '@payassent/protocol';
import type { Destination } from './destination.ts';
import type { JudgedRow } from './view.ts';

/** The parts of a policy that decide. Amounts are exact decimals as text. */
export interface JudgedPolicy {
  status: AutomationPolicyStatus;
  single_tx_limit: string | null;
  cumulative_limit: string | null;
  valid_from: Date | null;
  valid_until: Date | null;
  allowlist: readonly AllowlistEntry[] | null;
  spent: string;
  reserved: string;
}

export interface JudgedIntent {
  amount: string;
  to: string;
  memo: string | null;
  recipientId: string | null;
  /** The active version of the payee, which the payment pins. */
  recipientVersionId: string | null;
}

export interface Judgement {
  verdict: PolicyVerdict;
  triggered: TriggeredThreshold[];
  /** Null when no policy applies to the intent. */
  remaining: string | null;
  /** The largest amount for which the verdict would be "allow"; "0" when there is none. */
  maxAmountAllowed: string;
}

const NOTHING_APPLIES: Judgement = {
  verdict: 'hitl_required',
  triggered: [NO_ACTIVE_POLICY],
  remaining: null,
  maxAmountAllowed: '0',
};

/**
 * The one decision about an agent's intent: creating a payment and evaluating a policy both use it. It names every
 * threshold exceeded. Equality passes, and a policy is over from the first instant after its window.
 */
export function judgeIntent(policy: JudgedPolicy | undefined, intent: JudgedIntent, now: Date): Judgement {
  if (!policy || !isInForce(policy)) return NOTHING_APPLIES;
  const {
    single_tx_limit: single,
    cumulative_limit: cumulative,
    valid_from: from,
    valid_until: until,
  } = policy;
  if (single === null || cumulative === null || from === null || until === null) return NOTHING_APPLIES;
  const used = addDecimals(policy.spent, policy.reserved);
  const remaining = subtractDecimalsOrZero(cumulative, used);
  const isTriggered: Record<PolicyThreshold, boolean> = {
    single_tx_limit: compareDecimals(intent.amount, single) > 0,
    cumulative_limit: compareDecimals(addDecimals(used, intent.amount), cumulative) > 0,
    validity_window: now < from || now >= until,
    allowlist: !(policy.allowlist ?? []).some((entry) => covers(entry, intent)),
  };
  const triggered = POLICY_THRESHOLDS.filter((threshold) => isTriggered[threshold]);
  const isClosed = isTriggered.validity_window || isTriggered.allowlist;
  return {
    verdict: triggered.length === 0 ? 'allow' : 'hitl_required',
    triggered,
    remaining,
    maxAmountAllowed: isClosed ? '0' : minDecimal(single, remaining),
  };
}

/** An expired policy counts too: it explains that its window is over. */
function isInForce({ status }: JudgedPolicy): boolean {
  return status === 'active' || status === 'expired';
}

/**
 * A payee is covered when the intent names it, in the version that the customer accepted and in no other. An address is
 * covered with exactly its memo: one address with two memos means two payees.
 */
function covers(entry: AllowlistEntry, intent: JudgedIntent): boolean {
  if (entry.address !== undefined) return entry.address === intent.to && (entry.memo ?? null) === intent.memo;
  const { recipient_id: recipientId, recipient_version_id: pin } = entry;
  if (recipientId === undefined || !pin) return false;
  return recipientId === intent.recipientId && pin === intent.recipientVersionId;
}

/**
 * Judges paying an amount to a destination. A policy for another asset, or for the same code of another issuer, does
 * not apply.
 */
export function judgePayment(
  policy: JudgedRow | undefined,
  destination: Destination,
  amount: string,
  now: Date,
): Judgement {
  const { facts, recipientId, recipientVersionId } = destination;
  const speaks =
    policy !== undefined && policy.asset === facts.asset && policy.issuer === (facts.issuer ?? '');
  const intent = { amount, to: facts.address, memo: facts.memo, recipientId, recipientVersionId };
  return judgeIntent(speaks ? policy : undefined, intent, now);
}
