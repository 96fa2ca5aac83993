import { translated } from '../language.ts';

/** The first view of an enrolled device. */
export const inbox = translated('inbox', {
  title: 'Inbox',
  waiting: 'Waiting for you',
  recent: 'Decided and under way',
  emptyTitle: 'No pending requests',
  empty:
    'When a connected agent requests a payment, it appears here automatically. You will see payee, amount and address as they were pinned before you decide.',
  emptyAction: 'Connect an agent',
  live: 'Up to date. New requests appear automatically.',
  lost: 'The service cannot be reached. What you see may be out of date; this page retries automatically.',
  invitations: (count: number) =>
    count === 1 ? 'An agent requests a connection.' : `${count} agents request a connection.`,
  reviewInvitations: 'Review',
  anAgent: 'An agent',
  policies: (count: number) =>
    count === 1 ? 'A policy is proposed to you.' : `${count} policies are proposed to you.`,
  bareAddress: 'Address without a verified payee',
  review: 'Review',
  open: 'Open',
  expires: 'expires',
  expiresOn: (day: string) => `Expires ${day}`,
  more: 'Show more',
  brokenRow:
    'One request cannot be shown. Reload the page; if that does not help, tell the host of this service.',
});

/** The texts of a payment's outcome. */
export const outcomes = translated('outcomes', {
  states: {
    pending: 'waiting',
    signed: 'approved',
    broadcasted: 'sent',
    paid: 'paid',
    reported: 'reported as paid',
    contradicted: 'not as reported',
    failed: 'failed',
    expired: 'expired',
    rejected: 'rejected',
    cancelled: 'withdrawn',
  },
  titles: {
    pending: 'Review payment',
    signed: 'Approved',
    broadcasted: 'Sent',
    paid: 'Paid',
    reported: 'You reported it as paid',
    contradicted: 'Not paid as reported',
    failed: 'Payment failed',
    expired: 'Expired',
    rejected: 'Rejected',
    cancelled: 'Withdrawn',
  },
});
