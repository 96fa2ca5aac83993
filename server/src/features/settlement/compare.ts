import {
  addDecimals,
  compareDecimals,
  isHashMemo,
  minDecimal,
  networkRow,
  type SettlementFact,
  subtractDecimalsOrZero,
} from '@payassent/protocol';
import type { ObservedTransaction } from '@payassent/protocol/records';
import { HOUR_MS, SECOND_MS } from '../../lib/clock.ts';
import type { ObservedPayment, PinnedPayment } from './chain.ts';

export interface Difference {
  fact: SettlementFact;
  pinned: string | null;
  observed: string | null;
}

/**
 * A payment that a record took, by its index among those that the transaction makes to the address in the asset, the
 * smallest first. Equal payments are interchangeable, so the index identifies it.
 */
export interface Claim {
  payment: number;
  /** The part that counts. */
  amount: string;
}

/** For records that were final before payments were claimed one by one. */
export const ALL_PAYMENTS = -1;

const IDENTITY = ['asset', 'issuer', 'contract'] as const;

/** How far a block's clock may be behind ours. Miners of these coins may set theirs back by up to two hours. */
const CLOCK_SLACK_MS = 120 * SECOND_MS;
const UTXO_CLOCK_SLACK_MS = 2 * HOUR_MS;
const UTXO_KINDS: ReadonlySet<string> = new Set(['bitcoin', 'litecoin', 'dogecoin', 'bitcoin_cash']);

/**
 * Every pinned detail that the transaction does not show, and the payments that the record takes. Only payments to the
 * pinned address in the pinned asset that no other record took count: payments to others, such as change, are no
 * difference. Where nothing was paid, the closest payment shows what went wrong.
 */
export function compare(
  pinned: PinnedPayment,
  transaction: ObservedTransaction,
  debited: string,
  claims: readonly Claim[],
): { differences: Difference[]; taken: Claim[] } {
  const { payments } = transaction;
  const paid = payments
    .filter((payment) => payment.to === pinned.to && isPinnedAsset(pinned, payment))
    .map(({ amount }) => amount)
    .toSorted(compareDecimals)
    .map((amount, payment): Claim => ({ payment, amount }));
  const isClaimed = ({ payment }: Claim): boolean =>
    claims.some((claim) => claim.payment === payment || claim.payment === ALL_PAYMENTS);
  const unclaimed = paid.filter((payment) => !isClaimed(payment));
  if (paid.length > 0 && unclaimed.length === 0)
    return { differences: [{ fact: 'claimed', pinned: null, observed: null }], taken: [] };
  const exact = unclaimed.find(({ amount }) => compareDecimals(amount, pinned.amount) === 0);
  const taken = withinNet(exact ? [exact] : unclaimed, paid, debited, claims);
  const amount = sumOf(taken);
  const memo = pinned.memo ? pinnedMemo(pinned.memo) : null;
  const differences: Difference[] = [
    ...(paid.length > 0 ? [] : misdirected(pinned, closest(pinned, payments))),
    ...(compareDecimals(amount, pinned.amount) === 0
      ? []
      : [{ fact: 'amount' as const, pinned: pinned.amount, observed: amount }]),
    ...(memo === transaction.memo
      ? []
      : [{ fact: 'memo' as const, pinned: memo, observed: transaction.memo }]),
    ...older(pinned, transaction),
  ];
  return { differences, taken: differences.length === 0 ? taken : [] };
}

/** All that is claimed of a transaction never exceeds the payee's net gain. */
function withinNet(
  chosen: readonly Claim[],
  paid: readonly Claim[],
  debited: string,
  claims: readonly Claim[],
): Claim[] {
  let left = subtractDecimalsOrZero(sumOf(paid), addDecimals(debited, sumOf(claims)));
  return chosen.map(({ payment, amount }) => {
    const counted = minDecimal(amount, left);
    left = subtractDecimalsOrZero(left, counted);
    return { payment, amount: counted };
  });
}

const sumOf = (payments: readonly Claim[]): string =>
  payments.map(({ amount }) => amount).reduce(addDecimals, '0');

/** A transaction from before the request was made for something else. */
function older({ made }: PinnedPayment, { time }: ObservedTransaction): Difference[] {
  if (!made || time === null) return [];
  const isUtxo = UTXO_KINDS.has(networkRow(made.network).addressKind);
  const slackMs = isUtxo ? UTXO_CLOCK_SLACK_MS : CLOCK_SLACK_MS;
  if (Date.parse(made.at) - Date.parse(time) <= slackMs) return [];
  return [{ fact: 'time', pinned: made.at, observed: time }];
}

/** One name for the pinned asset, whatever its symbol. */
export function assetKey({ asset, issuer, contract }: PinnedPayment): string {
  return contract || (issuer ? `${asset}:${issuer}` : asset);
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
  // Two tokens differ in their contracts; the symbol of the other one is not known.
  if (fact === 'asset' && pinned.contract && payment.contract) return true;
  return (pinned[fact] || null) === (payment[fact] ?? null);
}

/** The first of those that match most of the pinned details; the address counts more than the asset. */
function closest(pinned: PinnedPayment, payments: readonly ObservedPayment[]): ObservedPayment | undefined {
  const score = (payment: ObservedPayment): number =>
    (payment.to === pinned.to ? 16 : 0) +
    (isPinnedAsset(pinned, payment) ? 8 : 0) +
    2 * IDENTITY.filter((fact) => agrees(fact, pinned, payment)).length +
    (compareDecimals(payment.amount, pinned.amount) === 0 ? 1 : 0);
  return payments.toSorted((left, right) => score(right) - score(left))[0];
}

/** Kinds of memo that are not text. A text in the form of one of them is marked, so that no two memos read alike. */
const MARKED = /^(id|hash|return|bytes|text):/;

/** A text memo as it is in a record. */
export function memoOfText(text: string): string {
  return MARKED.test(text) ? `text:${text}` : text;
}

/** A text memo whose bytes may not be valid text, or one that the database cannot store. */
export function memoOfBytes(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return memoOfText(text);
  } catch {}
  return `bytes:${Buffer.from(bytes).toString('hex')}`;
}

/** A pinned memo as the chain shows it. Text memos are shorter than a hash. */
function pinnedMemo(memo: string): string {
  return isHashMemo(memo) ? `hash:${memo}` : memoOfText(memo);
}
