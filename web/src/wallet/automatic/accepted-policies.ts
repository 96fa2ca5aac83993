import { addDecimals, compareDecimals, subtractDecimalsOrZero } from '@payassent/protocol';
import type { AutomationPolicy } from '@payassent/sdk';
import { dangersIn } from '../payments/comparisons.ts';
import { hasOwnMemo } from '../payments/own-memo.ts';
import type { Payment } from '../payments/payment.ts';
import { readEntry, writeEntry } from '../storage/database.ts';

/**
 * The terms that the customer accepted on this device, as shown. Only they allow a payment without a decision: a
 * service that reports other limits, payees or consents gains nothing.
 */
export interface AcceptedPolicy {
  id: string;
  connectionId: string;
  network: string;
  asset: string;
  issuer: string | null;
  single: string;
  cumulative: string;
  window: { from: string; until: string };
  /** With `ownMemos` each payment carries the memo that follows from its details and its id. */
  payees: ReadonlyArray<{ to: string; memo: string | null; ownMemos?: boolean }>;
  isPaused: boolean;
  /** What this device has paid under it, by the key of the payment. */
  paid: Readonly<Record<string, string>>;
}

type Accepted = Readonly<Record<string, AcceptedPolicy>>;

const ENTRY = 'accepted-policies';

/** Stored with the credential, and deleted with it. */
export async function readAccepted(): Promise<Accepted> {
  return (await readEntry<Accepted>('device', ENTRY)) ?? {};
}

export async function changeAccepted(
  id: string,
  change: (former: AcceptedPolicy | undefined) => AcceptedPolicy | undefined,
): Promise<void> {
  await navigator.locks.request('accepted policies', async () => {
    const { [id]: former, ...others } = await readAccepted();
    const next = change(former);
    await writeEntry('device', ENTRY, next === undefined ? others : { ...others, [id]: next });
  });
}

/** After a consent on this device. Earlier payments still count against the cap. */
export function acceptTerms(policy: AutomationPolicy): Promise<void> {
  return changeAccepted(policy.id, (former) => termsOf(policy, former?.paid ?? {}));
}

function termsOf(policy: AutomationPolicy, paid: AcceptedPolicy['paid']): AcceptedPolicy | undefined {
  const { single_tx_limit: single, cumulative_limit: cumulative, validity_window: window } = policy;
  if (single === null || cumulative === null || window === null) return undefined;
  const proposed = policy.proposed_payees ?? [];
  const named = proposed.length > 0 ? proposed : (policy.allowed_payees ?? []);
  const bare = (policy.allowlist ?? []).flatMap(({ address, memo }) =>
    address === undefined ? [] : { to: address, memo: memo ?? null },
  );
  return {
    ...{ id: policy.id, connectionId: policy.connection_id, network: policy.network, asset: policy.asset },
    ...{ issuer: policy.issuer, single, cumulative, window, isPaused: false, paid },
    payees: [
      ...named.map(({ address, memo, memo_policy }) => ({
        to: address,
        memo,
        ...(memo_policy === 'request' ? { ownMemos: true } : {}),
      })),
      ...bare,
    ],
  };
}

export function leftUnder({ cumulative, paid }: AcceptedPolicy): string {
  return subtractDecimalsOrZero(cumulative, sumOf(Object.values(paid)));
}

function sumOf(amounts: readonly string[]): string {
  return amounts.reduce(addDecimals, '0');
}

/** Whether the terms that the customer accepted on this device cover this payment. */
export function covers(policy: AcceptedPolicy, payment: Payment, now: Date): boolean {
  const { facts } = payment;
  const others = sumOf(Object.entries(policy.paid).flatMap(([key, sum]) => (key === payment.key ? [] : sum)));
  const payee = policy.payees.find(
    ({ to, memo, ownMemos }) =>
      to === facts.to && (ownMemos ? hasOwnMemo(payment) : (memo ?? '') === (facts.memo ?? '')),
  );
  return (
    payment.kind === 'agent' &&
    payment.initiatedBy === 'agent' &&
    payment.status === 'pending' &&
    payment.policyId === policy.id &&
    !policy.isPaused &&
    payment.connectionId === policy.connectionId &&
    facts.network === policy.network &&
    facts.asset === policy.asset &&
    (facts.issuer ?? null) === policy.issuer &&
    payee !== undefined &&
    now >= new Date(policy.window.from) &&
    now < new Date(policy.window.until) &&
    compareDecimals(facts.amount, policy.single) <= 0 &&
    compareDecimals(addDecimals(others, facts.amount), policy.cumulative) <= 0
  );
}

/** Covered and without a danger: an agent that was taken over must not empty a policy unnoticed. */
export function paysUnasked(
  policy: AcceptedPolicy,
  payment: Payment,
  history: readonly Payment[],
  now: Date,
): boolean {
  return covers(policy, payment, now) && dangersIn(payment, history).length === 0;
}
