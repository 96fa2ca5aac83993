import type { ObservedTransaction } from '@payassent/protocol/records';
import { describe, expect, it } from 'vitest';
import type { PinnedPayment } from './chain.ts';
import { isSettled, judge, type SourceAnswer, type Verdict } from './judge.ts';

const PINNED: PinnedPayment = { to: 'shop', asset: 'ETH', amount: '1' };

const transaction = (block: 'A' | 'B' | null, amount = '1'): ObservedTransaction => ({
  tx_hash: '0x1',
  block: block === null ? null : 100,
  block_hash: block,
  time: block === null ? null : '2026-01-01T00:00:00.000Z',
  confirmations: block === null ? 0 : 3,
  payments: [{ to: 'shop', asset: 'ETH', amount }],
  memo: null,
});

const has = (final: boolean, observed: ObservedTransaction, failed = false): SourceAnswer => ({
  present: true,
  debited: '0',
  height: 102,
  final,
  failed,
  transaction: observed,
});

/** All results of a source that make a difference: blocks A and B have the same height. */
const ANSWERS: Readonly<Record<string, SourceAnswer>> = {
  silent: 'unreachable',
  absent: { present: false, height: 102 },
  lagging: { present: false, height: 99 },
  pending: has(false, transaction(null)),
  minedA: has(false, transaction('A')),
  finalA: has(true, transaction('A')),
  lieA: has(true, transaction('A', '0.5')),
  failedA: has(true, { ...transaction('A'), payments: [] }, true),
  minedB: has(false, transaction('B')),
  finalB: has(true, transaction('B')),
};

const verdict = (state: Verdict['state'], observed: ObservedTransaction | null): Verdict => ({
  state,
  sources: { asked: 1, agreed: 1 },
  transaction: observed,
  differences: state === 'mismatch' ? [{ fact: 'amount', pinned: '1', observed: '0.5' }] : [],
});
const OPEN_BEFORE: readonly (Verdict | null)[] = [
  null,
  verdict('unknown', null),
  verdict('unseen', null),
  verdict('seen', transaction('A')),
];
const ENDED_BEFORE = [
  verdict('final', transaction('A')),
  verdict('mismatch', transaction('A', '0.5')),
  verdict('failed_on_chain', { ...transaction('A'), payments: [] }),
];

const combinations = (sources: number): SourceAnswer[][] =>
  sources === 0
    ? [[]]
    : combinations(sources - 1).flatMap((rest) => Object.values(ANSWERS).map((answer) => [...rest, answer]));
const ALL = [1, 2, 3].flatMap(combinations);

const answersOf = (...names: (keyof typeof ANSWERS)[]): SourceAnswer[] =>
  names.map((name) => ANSWERS[name] ?? 'unreachable');
const nameOf = (answer: SourceAnswer) => Object.keys(ANSWERS).find((name) => ANSWERS[name] === answer);
const namesOf = (answers: readonly SourceAnswer[]) => answers.map(nameOf).join(', ');
const count = (answers: readonly SourceAnswer[], ...names: string[]) =>
  answers.filter((answer) => names.includes(nameOf(answer) ?? '')).length;
const isPresent = (answer: SourceAnswer) => answer !== 'unreachable' && answer.present;
const saysLike = (observed: ObservedTransaction | null) => (answer: SourceAnswer) =>
  answer !== 'unreachable' &&
  answer.present &&
  answer.final &&
  answer.transaction.block_hash === observed?.block_hash &&
  JSON.stringify(answer.transaction.payments) === JSON.stringify(observed?.payments);

describe('the settlement by one to three sources, in every combination', () => {
  it('ends only where more than half of the configured sources agree on block and effects, and always there', () => {
    for (const answers of ALL) {
      const found = judge(answers, PINNED, null);
      const majority = ['finalA', 'lieA', 'failedA', 'finalB'].find(
        (name) => count(answers, name) * 2 > answers.length,
      );
      const state = { finalA: 'final', lieA: 'mismatch', failedA: 'failed_on_chain', finalB: 'final' }[
        majority ?? ''
      ];
      expect(isSettled(found.state), namesOf(answers)).toBe(majority !== undefined);
      if (majority === undefined) continue;
      expect(found.state, namesOf(answers)).toBe(state);
      expect(found.sources, namesOf(answers)).toEqual({
        asked: answers.length,
        agreed: count(answers, majority),
      });
      expect(answers.filter(saysLike(found.transaction)), namesOf(answers)).toHaveLength(
        count(answers, majority),
      );
      expect(found.differences.length > 0).toBe(majority === 'lieA');
    }
  });

  it('is unseen where every reachable source has nothing, seen where one has it, unknown where none responds or two contradict', () => {
    for (const answers of ALL) {
      const { state, sources, transaction: shown } = judge(answers, PINNED, null);
      if (isSettled(state)) continue;
      const reachable = answers.filter((answer) => answer !== 'unreachable');
      const present = reachable.filter(isPresent);
      const [finalA, lieA, failedA, finalB] = ['finalA', 'lieA', 'failedA', 'finalB'].map(
        (name) => count(answers, name) > 0,
      );
      const inA = finalA || lieA || failedA || count(answers, 'minedA') > 0;
      const contradict =
        [finalA || count(answers, 'minedA') > 0, lieA, failedA].filter(Boolean).length > 1 ||
        (inA && finalB) ||
        ((finalA || lieA || failedA) && count(answers, 'minedB') > 0);
      const expected =
        reachable.length === 0 || contradict ? 'unknown' : present.length === 0 ? 'unseen' : 'seen';
      expect(state, namesOf(answers)).toBe(expected);
      const agreed = { unknown: 0, unseen: reachable.length, seen: present.length }[expected];
      expect(sources, namesOf(answers)).toEqual({ asked: answers.length, agreed });
      expect(shown !== null, namesOf(answers)).toBe(expected === 'seen');
    }
  });

  it('goes by the responses alone until there is an end: seen goes back to unseen', () => {
    for (const answers of ALL)
      for (const before of OPEN_BEFORE)
        expect(judge(answers, PINNED, before)).toEqual(judge(answers, PINNED, null));
    expect(judge(answersOf('absent'), PINNED, verdict('seen', transaction('A'))).state).toBe('unseen');
  });

  it('never changes an end, unless more than half of the sources report that its block has lost the transaction', () => {
    for (const answers of ALL)
      for (const before of ENDED_BEFORE) {
        const found = judge(answers, PINNED, before);
        const gone = count(answers, 'absent', 'pending', 'minedB', 'finalB') * 2 > answers.length;
        if (gone) expect(found, namesOf(answers)).toEqual(judge(answers, PINNED, null));
        else
          expect(
            { ...found, taken: undefined, sources: before.sources },
            `${before.state}: ${namesOf(answers)}`,
          ).toEqual(before);
      }
  });

  it('is the same in any order of the sources', () => {
    for (const answers of combinations(3))
      for (const before of [null, ...ENDED_BEFORE]) {
        const { state, sources } = judge(answers, PINNED, before);
        const turned = judge(answers.toReversed(), PINNED, before);
        expect({ state: turned.state, sources: turned.sources }, namesOf(answers)).toEqual({
          state,
          sources,
        });
      }
  });

  it('takes the lowest number of confirmations of those that agree', () => {
    const deep = (confirmations: number) => has(true, { ...transaction('A'), confirmations });
    const found = judge([deep(9), deep(7), deep(8)], PINNED, null);
    expect(found).toMatchObject({ state: 'final', transaction: { confirmations: 7 } });
  });

  it('lets an end grow deeper when it is confirmed again', () => {
    const again = has(true, { ...transaction('A'), confirmations: 40 });
    const found = judge([again, again, 'unreachable'], PINNED, verdict('final', transaction('A')));
    expect(found).toMatchObject({ sources: { asked: 3, agreed: 2 }, transaction: { confirmations: 40 } });
  });

  it('counts all of thousands of payments, and shows a hundred with those to the payee first', () => {
    const payments = Array.from({ length: 5000 }, (_, n) => ({
      to: n % 100 === 99 ? 'shop' : `payee ${n}`,
      asset: 'ETH',
      amount: '0.02',
    }));
    const crowded = has(true, { ...transaction('A'), payments });
    const found = judge([crowded], PINNED, null);
    expect(found).toMatchObject({ state: 'final', differences: [] });
    expect(found.transaction?.payments).toHaveLength(100);
    expect(found.transaction?.payments.filter(({ to }) => to === 'shop')).toHaveLength(50);
    expect(judge([crowded], PINNED, found)).toEqual(found);
  });
});
