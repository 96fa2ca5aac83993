import { addDecimals } from '@payassent/protocol';
import type { Payment } from '../payments/payment.ts';

export interface Spent {
  key: string;
  /** The first day of the month, in the person's own zone. */
  month: Date;
  connectionId: string;
  /** One of those that were added up: its asset is that of all. */
  sample: Payment['facts'];
  sum: string;
}

/** What the chain has contradicted was not spent, whatever was reported. */
const NOT_SPENT: readonly unknown[] = ['failed_on_chain', 'mismatch'];

/** Sums per month, agent and asset; equal names are different assets when network, issuer or contract differ. */
export function spendingOf(payments: readonly Payment[]): Spent[] {
  const sums = new Map<string, Spent>();
  for (const { status, settlement, createdAt, connectionId, facts } of payments) {
    if (status !== 'confirmed' || NOT_SPENT.includes(settlement?.state)) continue;
    const day = new Date(createdAt);
    const month = new Date(day.getFullYear(), day.getMonth());
    const { network, asset, issuer, contract, amount } = facts;
    const key = JSON.stringify([month, connectionId, network, asset, issuer ?? null, contract ?? null]);
    const sum = addDecimals(sums.get(key)?.sum ?? '0', amount);
    sums.set(key, { key, month, connectionId, sample: facts, sum });
  }
  return [...sums.values()].sort((a, b) => b.month.getTime() - a.month.getTime());
}
