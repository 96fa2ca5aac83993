import { translated } from '../language.ts';

/** Words for the states of records. */
export const statusWords = translated<Record<string, string>>('statusWords', {
  pending: 'Waiting',
  signed: 'Approved and signed',
  broadcasted: 'Sent to the network',
  /** A report of the wallet; what the chain shows is the settlement. */
  confirmed: 'Reported as paid',
  failed: 'Failed',
  expired: 'Expired',
  rejected: 'Rejected',
  cancelled: 'Withdrawn',
  intent_created: 'Intended',
  active: 'Active',
  paused: 'Paused',
  revoked: 'Revoked',
  disabled: 'Disabled',
  pending_verification: 'Not verified',
  delivered: 'Delivered',
  draft: 'Draft, not agreed',
  invited: 'Invited',
  approved: 'Approved',
});

export const lists = translated('lists', {
  newer: 'Newer',
  older: 'Older',
  newest: 'Newest',
  pages: 'Pages of the list',
  page: (number: number) => `Page ${number}`,
  anyStatus: 'Every status',
  noMatch: {
    title: 'No match',
    text: 'Nothing fits what you chose.',
    older: 'Nothing on this page fits what you chose. Older pages may have more.',
  },
  live: {
    live: 'Live: updates automatically',
    final: 'Final: nothing more can change',
    lost: 'Not up to date: the service does not respond. Trying again …',
  },
  /** Accessible names of table frames, so that they differ from a heading of the same name. */
  table: (name: string) => `Table: ${name}`,
});
