import { translated } from '../language.ts';

/** Words for the states of records. */
export const statusWords = translated<Record<string, string>>('statusWords', {
  pending: 'Waiting',
  signed: 'Approved and signed',
  broadcasted: 'Sent to the network',
  confirmed: 'Confirmed',
  failed: 'Failed',
  expired: 'Expired',
  rejected: 'Rejected',
  cancelled: 'Taken back',
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
  pages: 'Pages of the list',
  page: (number: number) => `Page ${number}`,
  anyStatus: 'Every status',
  live: {
    live: 'Live: updates automatically',
    final: 'Final: nothing more can change',
    lost: 'Not up to date: the service does not answer. Trying again …',
  },
  /** Frames of tables beside headings of the same name. */
  table: (name: string) => `Table: ${name}`,
});
