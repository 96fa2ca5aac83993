import { dangersIn } from '../payments/comparisons.ts';
import type { Payment } from '../payments/payment.ts';
import type { AcceptedPolicy } from './accepted-policies.ts';
import { covers } from './covers.ts';

/** Covered, and nothing about it is dangerous: an agent that was taken over must not empty a policy unseen. */
export function paysUnasked(
  policy: AcceptedPolicy,
  payment: Payment,
  history: readonly Payment[],
  now: Date,
): boolean {
  return covers(policy, payment, now) && dangersIn(payment, history).length === 0;
}
