import { translated } from '../language.ts';

/** What was decided and paid: the list, the sums, and receipts. */
export const history = translated('history', {
  title: 'Activity',
  list: 'Decided and paid',
  search: 'Search',
  searchHint: 'Payee, domain, agent, id, or the exact amount.',
  agent: 'Agent',
  everyAgent: 'All agents',
  find: 'Search',
  emptyTitle: 'Nothing decided yet',
  empty: 'What you approve or reject appears here.',
  nothingFound: 'Nothing found',
  nothingFoundText: 'No decided payment has these words. Try fewer of them, or another agent.',
  more: 'Show older',
  cut: (count: number) =>
    `The newest ${count} payments were searched. There may be older ones: choose an agent, or search for a payee or an id.`,
  spending: {
    title: 'Spending per agent and month',
    none: 'Nothing was reported as confirmed yet.',
    explain:
      'What this wallet reported as confirmed, by the month in which it was requested. Different assets are never added together.',
    cut: (count: number, month: string) =>
      `Only the newest ${count} payments are counted: older months are not loaded, and ${month} may be incomplete.`,
    month: 'Month',
    agent: 'Agent',
    spent: 'Spent',
  },
  receipt: {
    title: 'Receipt',
    back: 'Back to the activity',
    print: 'Print',
    notPaid: 'Nothing was paid, so there is no receipt.',
    pinned: 'Pinned details',
    words: 'Source',
    wallet: 'This wallet reported',
    chain: 'The chain shows',
    noHash: 'No transaction was reported.',
    hash: 'Transaction',
    ids: 'References',
    agent: 'Requested by',
    asked: 'Requested',
    request: 'Payment id',
    connection: 'Connection',
    note: 'The digest was recomputed on this device and matches the details above. The evidence bundle of this payment can be verified at /verify.',
  },
});
