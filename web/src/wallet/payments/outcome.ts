import type { Payment, PaymentStatus } from './payment.ts';

/** The outcome to show: a payment with only the customer's report is never called paid. */
export type Outcome = Exclude<PaymentStatus, 'confirmed'> | 'paid' | 'reported' | 'contradicted';

const CONTRADICTED: readonly unknown[] = ['mismatch', 'failed_on_chain'];

export function outcomeOf({ status, settlement }: Payment): Outcome {
  if (status !== 'confirmed') return status;
  if (CONTRADICTED.includes(settlement?.state)) return 'contradicted';
  return settlement?.state === 'final' ? 'paid' : 'reported';
}

export const TONES = {
  pending: 'accent',
  signed: 'warn',
  broadcasted: 'warn',
  paid: 'good',
  reported: 'plain',
  contradicted: 'bad',
  failed: 'bad',
  expired: 'plain',
  rejected: 'plain',
  cancelled: 'plain',
} as const satisfies Record<Outcome, string>;
