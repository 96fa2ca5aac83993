import { addDecimals, compareDecimals } from '@payassent/protocol';
import type { ObservedTransaction } from '@payassent/protocol/records';
import type { ObservedPayment, PinnedPayment } from './chain.ts';
import { memoOfText } from './memo-text.ts';

type ComparedFact = 'to' | 'asset' | 'issuer' | 'contract' | 'amount' | 'memo';

export interface Difference {
  fact: ComparedFact;
  pinned: string | null;
  observed: string | null;
}

const IDENTITY = ['asset', 'issuer', 'contract'] as const;

/**
 * Every pinned fact that the transaction does not show. What counts is the sum that reached the pinned address in the
 * pinned asset: payments to others, such as change, are no difference. Where nothing counts, the payment that comes
 * closest says what went wrong.
 */
export function differences(pinned: PinnedPayment, transaction: ObservedTransaction): Difference[] {
  const { payments } = transaction;
  const counted = payments.filter((payment) => payment.to === pinned.to && isPinnedAsset(pinned, payment));
  const amount = counted.map((payment) => payment.amount).reduce(addDecimals, '0');
  const memo = pinned.memo ? memoOfText(pinned.memo) : null;
  return [
    ...(counted.length > 0 ? [] : misdirected(pinned, closest(pinned, payments))),
    ...(compareDecimals(amount, pinned.amount) === 0
      ? []
      : [{ fact: 'amount' as const, pinned: pinned.amount, observed: amount }]),
    ...(memo === transaction.memo
      ? []
      : [{ fact: 'memo' as const, pinned: memo, observed: transaction.memo }]),
  ];
}

function misdirected(pinned: PinnedPayment, payment: ObservedPayment | undefined): Difference[] {
  if (payment === undefined) return [{ fact: 'to', pinned: pinned.to, observed: null }];
  return (['to', ...IDENTITY] as const)
    .filter((fact) => !agrees(fact, pinned, payment))
    .map((fact) => ({ fact, pinned: pinned[fact] || null, observed: payment[fact] ?? null }));
}

function isPinnedAsset(pinned: PinnedPayment, payment: ObservedPayment): boolean {
  return IDENTITY.every((fact) => agrees(fact, pinned, payment));
}

function agrees(fact: 'to' | (typeof IDENTITY)[number], pinned: PinnedPayment, payment: ObservedPayment) {
  // Two tokens differ in their contracts; what the other one is called is not known.
  if (fact === 'asset' && pinned.contract && payment.contract) return true;
  return (pinned[fact] || null) === (payment[fact] ?? null);
}

/** The first of those that share most with what was agreed; the address counts more than the asset. */
function closest(pinned: PinnedPayment, payments: readonly ObservedPayment[]): ObservedPayment | undefined {
  const score = (payment: ObservedPayment): number =>
    (payment.to === pinned.to ? 16 : 0) +
    (isPinnedAsset(pinned, payment) ? 8 : 0) +
    2 * IDENTITY.filter((fact) => agrees(fact, pinned, payment)).length +
    (compareDecimals(payment.amount, pinned.amount) === 0 ? 1 : 0);
  return payments.toSorted((left, right) => score(right) - score(left))[0];
}
