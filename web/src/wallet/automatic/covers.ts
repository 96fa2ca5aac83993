import { addDecimals, compareDecimals } from '@payassent/protocol';
import { hasOwnMemo } from '../payments/own-memo.ts';
import type { Payment } from '../payments/payment.ts';
import { type AcceptedPolicy, sumOf } from './accepted-policies.ts';

/** Whether the person has agreed on this device to pay this without being asked. */
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
