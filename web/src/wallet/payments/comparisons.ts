import {
  compareDecimals,
  type Danger,
  dangersOf,
  isNetwork,
  looksLikeName,
  type PaymentToPayee,
} from '@payassent/protocol';
import { type Outcome, outcomeOf } from './outcome.ts';
import { hasOwnMemo } from './own-memo.ts';
import { isPaid, type Payment } from './payment.ts';

/** How this payment differs from the last one to the same payee, next to what is dangerous. */
export interface Comparison {
  /** The newest one before this that was paid, or at least signed. */
  former: Payment | undefined;
  changes: Change[];
}

export type Change =
  | { what: 'version' }
  | { what: 'name'; before: string }
  | { what: 'domain'; before: string | undefined };

export type Risk =
  /** Another party was paid under the same name. */
  | { risk: 'same_name'; domain: string | undefined }
  /** Another address begins and ends like this one. */
  | { risk: 'look_alike'; address: string }
  /** The same amount went to the same payee a short while ago. */
  | { risk: 'repeated'; at: string }
  | { risk: 'no_payee' }
  | { risk: 'unverified_domain' }
  /** The merchant no longer has payments made there. */
  | { risk: 'not_current' };

export type Imitation = Extract<Risk, { risk: 'same_name' | 'look_alike' }>;

const RECENT_MS = 24 * 3_600_000;

/** The dangers of a payment, by what this wallet has paid before. */
export function dangersIn(payment: Payment, history: readonly Payment[]): Danger[] {
  // Only payments to this payee can match: a memo made for each payment is recognized by computing it.
  const paid = history.filter(
    (other) => other.key !== payment.key && isPaid(other) && isSamePayee(other, payment),
  );
  return dangersOf(toPayee(payment), paid.map(toPayee));
}

function toPayee(payment: Payment): PaymentToPayee {
  const { facts, payee } = payment;
  const { network, asset, issuer, contract, to, amount } = facts;
  // What was kept by another version of this page may name a network that this one does not know.
  const memo = isNetwork(network) && hasOwnMemo(payment) ? null : facts.memo;
  return {
    ...{ network, asset, issuer, contract, to, amount, memo },
    recipientId: payee?.recipientId ?? null,
  };
}

const WAS_PAID: readonly Outcome[] = ['paid', 'reported'];

/** How often this payee was paid before at the very address of this request; an approval alone is no payment. */
export function timesPaid(payment: Payment, history: readonly Payment[]): number {
  return history.filter(
    (other) =>
      other.key !== payment.key &&
      WAS_PAID.includes(outcomeOf(other)) &&
      isSamePayee(other, payment) &&
      other.facts.network === payment.facts.network &&
      other.facts.to === payment.facts.to,
  ).length;
}

export function compareWithFormer(payment: Payment, history: readonly Payment[]): Comparison {
  const former = history.find(
    (other) =>
      other.key !== payment.key && isPaid(other) && isSamePayee(payment, other) && isBefore(other, payment),
  );
  return { former, changes: former === undefined ? [] : changesSince(former, payment) };
}

function isSamePayee(a: Payment, b: Payment): boolean {
  return a.payee === undefined || b.payee === undefined
    ? a.payee === b.payee && a.facts.to === b.facts.to
    : a.payee.recipientId === b.payee.recipientId;
}

function isBefore(a: Payment, b: Payment): boolean {
  return a.createdAt <= b.createdAt;
}

function changesSince(former: Payment, payment: Payment): Change[] {
  const before = former.facts;
  const now = payment.facts;
  const changes: Array<Change | false> = [
    before.to === now.to && before.recipient_version_id !== now.recipient_version_id && { what: 'version' },
    former.payee !== undefined &&
      former.payee.name !== payment.payee?.name && { what: 'name', before: former.payee.name },
    former.payee?.domain !== payment.payee?.domain && { what: 'domain', before: former.payee?.domain },
  ];
  return changes.filter((change) => change !== false);
}

function isSameAsset(a: Payment['facts'], b: Payment['facts']): boolean {
  return a.asset === b.asset && !isOther(a.issuer, b.issuer) && !isOther(a.contract, b.contract);
}

/** Absent, null and empty all mean none. */
function isOther(a: string | null | undefined, b: string | null | undefined): boolean {
  return (a ?? '') !== (b ?? '');
}

const ENDS = 4;

export function risksOf(payment: Payment, history: readonly Payment[], now: Date): Risk[] {
  const { payee, facts } = payment;
  const others = history.filter((other) => other.key !== payment.key && isPaid(other));
  const risks: Risk[] = [];
  if (payee === undefined) risks.push({ risk: 'no_payee' });
  else if (payee.domain === undefined) risks.push({ risk: 'unverified_domain' });
  else if (!payee.isCurrent) risks.push({ risk: 'not_current' });
  const namesakes = others.filter(
    (other) =>
      payee !== undefined &&
      other.payee !== undefined &&
      looksLikeName(other.payee.name, payee.name) &&
      !isSamePayee(other, payment),
  );
  // A merchant's further payee of the name must not hide that another party was paid under it.
  const namesake = namesakes.find((other) => other.payee?.domain !== payee?.domain) ?? namesakes[0];
  if (namesake !== undefined) risks.push({ risk: 'same_name', domain: namesake.payee?.domain });
  const lookAlike = others.find((other) => looksAlike(other.facts.to, facts.to));
  if (lookAlike !== undefined) risks.push({ risk: 'look_alike', address: lookAlike.facts.to });
  const repeated = others.find(
    (other) =>
      isSamePayee(other, payment) &&
      isSameAsset(other.facts, facts) &&
      compareDecimals(other.facts.amount, facts.amount) === 0 &&
      now.getTime() - new Date(other.updatedAt).getTime() < RECENT_MS,
  );
  if (repeated !== undefined) risks.push({ risk: 'repeated', at: repeated.updatedAt });
  return risks;
}

/** Resembles a payment to someone who was paid before: as dangerous as a changed address. */
export function isImitation(risk: Risk, { payee }: Payment): risk is Imitation {
  // One merchant may have several payees of one name.
  return risk.risk === 'look_alike' || (risk.risk === 'same_name' && risk.domain !== payee?.domain);
}

function looksAlike(a: string, b: string): boolean {
  return a !== b && a.slice(0, ENDS) === b.slice(0, ENDS) && a.slice(-ENDS) === b.slice(-ENDS);
}
