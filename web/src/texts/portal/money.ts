import { translated } from '../language.ts';

/** Texts of the figures on the overview. */
export const money = translated('money', {
  title: 'Money',
  waiting: 'Waiting now',
  waitingHint: 'See them',
  rate: 'Approval rate',
  rateOf: (approved: string, decided: string) => `${approved} of ${decided} decisions in 30 days`,
  median: 'Median time to decision',
  medianHint: 'from request to yes or no',
  ended: 'Ended without a decision',
  endedHint: 'expired, withdrawn or recalled',
  none: '–',
  underASecond: '< 1 s',
  received: 'Received',
  asset: 'Asset',
  word: 'Source',
  periods: { today: 'Today', week: '7 days', month: '30 days' },
  standings: {
    final: 'Confirmed by the chain',
    reported: 'Only reported by wallets',
    disputed: 'Disputed by the chain',
  },
  note: 'By the time of the request. The rows of an asset are never added up: a report of a wallet is unconfirmed until the chain shows the payment.',
  empty: 'No payment in the last 30 days. Sums appear here as soon as a wallet reports one.',
  incomplete: 'There were too many payments to sum up here. Counted is what was requested since',
});
