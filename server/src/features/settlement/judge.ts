import { canonicalJson, type SettlementState } from '@payassent/protocol';
import type { ObservedTransaction } from '@payassent/protocol/records';
import type { ObservedPayment, PinnedPayment, SourceFinding } from './chain.ts';
import { type Claim, compare, type Difference } from './compare.ts';

export interface Verdict {
  state: SettlementState;
  sources: { asked: number; agreed: number };
  transaction: ObservedTransaction | null;
  differences: Difference[];
  /** The payments behind a `final`, which no other record may take; not part of what is stored. */
  taken?: readonly Claim[];
}

/** The result of each configured source; `unreachable` for one without a response, or without a sensible one. */
export type SourceAnswer = SourceFinding | 'unreachable';

type Sighting = Extract<SourceFinding, { present: true }>;

const MOST_SHOWN = 100;

const SETTLED: ReadonlySet<SettlementState> = new Set(['final', 'mismatch', 'failed_on_chain']);

export const isSettled = (state: SettlementState): boolean => SETTLED.has(state);

/**
 * The joint verdict of all configured sources, one result each. Only what more than half of them agree on is final, and
 * what was final stays so until more than half report that its block no longer holds the transaction.
 */
export function judge(
  answers: readonly SourceAnswer[],
  pinned: PinnedPayment,
  before: Verdict | null,
  claims: readonly Claim[] = [],
): Verdict {
  const isMajority = (count: number): boolean => count * 2 > answers.length;
  const sightings = answers.filter(
    (answer): answer is Sighting => answer !== 'unreachable' && answer.present,
  );
  const agreeing = largestGroup(sightings.filter(({ final }) => final));
  const fresh = isMajority(agreeing.length)
    ? settled(agreeing, answers.length, pinned, claims)
    : unsettled(answers, sightings, pinned);
  const end = before !== null && isSettled(before.state) ? before : null;
  if (end?.transaction == null) return fresh;
  const { transaction } = end;
  if (isMajority(answers.filter((answer) => hasLeft(answer, transaction)).length)) return fresh;
  // The same again, a few blocks deeper; no other change in their results undoes an end.
  if (isSameEnd(fresh, end)) return fresh;
  // When claims of others end, their payments are free.
  const isFreed = awaitsClaim(end) && fresh.transaction?.block_hash === transaction.block_hash;
  return isFreed && isSettled(fresh.state) ? fresh : end;
}

/** Only the claim of another record blocks it. */
export function awaitsClaim({ state, differences }: Verdict): boolean {
  return state === 'mismatch' && differences.length === 1 && differences[0]?.fact === 'claimed';
}

/** Whether a response reports a reorganization: its chain reaches beyond the block and no longer has it there. */
function hasLeft(answer: SourceAnswer, { block, block_hash }: ObservedTransaction): boolean {
  if (answer === 'unreachable' || answer.height < (block ?? 0)) return false;
  return !answer.present || answer.transaction.block_hash !== block_hash;
}

export function isSameEnd(left: Verdict, right: Verdict): boolean {
  if (left.state !== right.state || left.transaction === null || right.transaction === null) return false;
  return effectsOf(left.transaction) === effectsOf(right.transaction);
}

function settled(
  group: readonly Sighting[],
  asked: number,
  pinned: PinnedPayment,
  claims: readonly Claim[],
): Verdict {
  const transaction = shown(group, pinned);
  const [told] = group;
  const failed = told?.failed === true;
  // A failed transaction moved nothing, so there is nothing to compare.
  const found =
    failed || told === undefined
      ? { differences: [], taken: [] }
      : compare(pinned, told.transaction, told.debited, claims);
  const state = failed ? 'failed_on_chain' : found.differences.length > 0 ? 'mismatch' : 'final';
  const sources = { asked, agreed: group.length };
  return { state, sources, transaction, ...found };
}

function unsettled(
  answers: readonly SourceAnswer[],
  sightings: readonly Sighting[],
  pinned: PinnedPayment,
): Verdict {
  const reachable = answers.filter((answer) => answer !== 'unreachable').length;
  const verdict = (
    state: SettlementState,
    agreed: number,
    transaction: ObservedTransaction | null,
  ): Verdict => ({
    state,
    sources: { asked: answers.length, agreed },
    transaction,
    differences: [],
  });
  if (reachable === 0 || contradict(sightings)) return verdict('unknown', 0, null);
  if (sightings.length === 0) return verdict('unseen', reachable, null);
  const mined = sightings.filter(({ transaction }) => transaction.block_hash !== null);
  return verdict('seen', sightings.length, shown(largestGroup(mined.length > 0 ? mined : sightings), pinned));
}

/**
 * Different blocks are an ordinary fork while neither is final; one block with two contents, or a final block next to
 * another one, cannot both be true.
 */
function contradict(sightings: readonly Sighting[]): boolean {
  const mined = sightings.filter(({ transaction }) => transaction.block_hash !== null);
  return mined.some((one) =>
    mined.some(
      (other) =>
        wording(one) !== wording(other) &&
        (one.final || one.transaction.block_hash === other.transaction.block_hash),
    ),
  );
}

/** The largest set of sources that agree; the one configured first where two are equally large. */
function largestGroup(sightings: readonly Sighting[]): Sighting[] {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const key = wording(sighting);
    groups.set(key, [...(groups.get(key) ?? []), sighting]);
  }
  return [...groups.values()].toSorted((left, right) => right.length - left.length)[0] ?? [];
}

const wording = ({ failed, debited, transaction }: Sighting): string =>
  `${failed} ${debited} ${effectsOf(transaction)}`;

/** All that sources must agree on: the block and the effects. Its depth and finality differ as sources lag. */
function effectsOf({ confirmations: _, payments, ...rest }: ObservedTransaction): string {
  return canonicalJson({ ...rest, payments: payments.map((payment) => canonicalJson(payment)).sort() });
}

/** The transaction as a group reports it, with the depth of its most cautious member. */
function shown(group: readonly Sighting[], pinned: PinnedPayment): ObservedTransaction | null {
  const transaction = group[0]?.transaction;
  if (transaction === undefined) return null;
  const confirmations = Math.min(...group.map((sighting) => sighting.transaction.confirmations));
  return { ...transaction, confirmations, payments: mostTelling(transaction.payments, pinned) };
}

/** One transaction can pay thousands of addresses, and records must stay small: payments to the payee come first. */
function mostTelling(payments: ObservedPayment[], pinned: PinnedPayment): ObservedPayment[] {
  if (payments.length <= MOST_SHOWN) return payments;
  const [own, others] = [true, false].map((isOwn) =>
    payments.filter(({ to }) => (to === pinned.to) === isOwn),
  );
  return [...(own ?? []), ...(others ?? [])].slice(0, MOST_SHOWN);
}
