import { compareDecimals, multiplyDecimal } from './amounts.ts';

/** A payment as the rule of danger needs it. */
export interface PaymentToPayee {
  /** `recipient_id`; null for a bare address, which is then the payee itself. */
  readonly recipientId: string | null;
  readonly network: string;
  readonly asset: string;
  readonly issuer?: string | null | undefined;
  readonly contract?: string | null | undefined;
  readonly to: string;
  /** Null too where the memo was made for this payment alone: it then differs from every other one. */
  readonly memo?: string | null | undefined;
  readonly amount: string;
}

/** What makes a payment to a known payee dangerous. */
export type Danger =
  /** The money would go somewhere else, or be something else, than in the last payment to this payee. */
  | { readonly danger: 'address' | 'network' | 'asset'; readonly before: string }
  | { readonly danger: 'memo' | 'issuer' | 'contract'; readonly before: string | null }
  /** Far above everything that this payee was paid before in this asset. */
  | { readonly danger: 'amount'; readonly highest: string };

/** An amount is far above the earlier ones from this multiple of the highest on. */
export const FAR_ABOVE = 5n;

/**
 * The dangers of a payment, given what was paid before, newest first. A wallet shows them first and in red, takes a second
 * deliberate act for its approval, and never pays such a request under a policy. A payee that was never paid has none.
 */
export function dangersOf(payment: PaymentToPayee, paidBefore: readonly PaymentToPayee[]): Danger[] {
  const toPayee = paidBefore.filter((other) => isSamePayee(other, payment));
  const [last] = toPayee;
  if (last === undefined) return [];
  const dangers: Array<Danger | false> = [
    last.to !== payment.to && { danger: 'address', before: last.to },
    last.network !== payment.network && { danger: 'network', before: last.network },
    last.asset !== payment.asset && { danger: 'asset', before: last.asset },
    last.asset === payment.asset && changed('issuer', last.issuer, payment.issuer),
    last.asset === payment.asset && changed('contract', last.contract, payment.contract),
    last.to === payment.to && changed('memo', last.memo, payment.memo),
    farAbove(
      payment.amount,
      toPayee.filter((other) => isSameAsset(other, payment)).map(({ amount }) => amount),
    ),
  ];
  return dangers.filter((danger) => danger !== false);
}

function isSamePayee(a: PaymentToPayee, b: PaymentToPayee): boolean {
  if (a.recipientId !== null || b.recipientId !== null) return a.recipientId === b.recipientId;
  return a.network === b.network && a.to === b.to;
}

function isSameAsset(a: PaymentToPayee, b: PaymentToPayee): boolean {
  const [of, other] = [a, b].map(({ network, asset, issuer, contract }) =>
    JSON.stringify([network, asset, issuer || null, contract || null]),
  );
  return of === other;
}

/** Absent, null and empty all mean that there is none. */
function changed(
  danger: 'memo' | 'issuer' | 'contract',
  before: string | null | undefined,
  now: string | null | undefined,
): Danger | false {
  return (before ?? '') !== (now ?? '') && { danger, before: before || null };
}

function farAbove(amount: string, paid: readonly string[]): Danger | false {
  const [highest] = paid.toSorted((a, b) => compareDecimals(b, a));
  if (highest === undefined || compareDecimals(amount, multiplyDecimal(highest, FAR_ABOVE)) < 0) return false;
  return { danger: 'amount', highest };
}
