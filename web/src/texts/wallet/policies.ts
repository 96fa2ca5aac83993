import { translated } from '../language.ts';

/** Automation policies. */
export const policies = translated('policies', {
  title: 'Automation policies',
  intro:
    'Within limits that you accept, an agent’s payments need no separate approval: this wallet pays them automatically while it is open on a device with a test key. You can pause or stop it at any time.',
  emptyTitle: 'No policies',
  empty:
    'An agent or its merchant can propose one. It does nothing until you have read its limits here and opted in.',
  status: {
    draft: 'proposed',
    active: 'active',
    paused: 'paused',
    expired: 'expired',
    revoked: 'stopped',
  },
  open: 'Open',
  review: 'Review limits',
  reviewTitle: 'Policy',
  back: 'All policies',
  agent: 'Agent',
  sentence: {
    heading: 'What you would allow',
    active: 'What you allowed',
    unasked: (amount: string) => `Pays without asking you, up to ${amount}`,
    single: (amount: string) => `One payment may be at most ${amount}.`,
    cumulative: (amount: string) =>
      `All payments together may be at most ${amount}. The total is never reset.`,
    window: 'It holds',
    from: 'from',
    until: 'until',
    payees: 'Only these payees:',
    network: (network: string) => `On ${network} only.`,
    issuer: 'Asset issued by',
    pinned: 'When a payee changes its address, the policy does not follow: you would have to opt in again.',
    bare: 'Address without a verified payee',
    noMemo: 'only without a memo',
    missingPayee: 'A payee that cannot be named. Do not opt in before you know who it is.',
  },
  missing: {
    title: 'Not complete',
    text: 'You cannot opt in before the agent or its merchant has filled in:',
    single_tx_limit: 'the limit for one payment',
    cumulative_limit: 'the limit for all payments',
    validity_window: 'the time in which it holds',
    allowlist: 'the payees',
  },
  usage: {
    title: 'Used so far',
    spent: 'Paid',
    reserved: 'Under way',
    remaining: 'Left',
    label: (used: string, limit: string) => `${used} of ${limit} used`,
  },
  optIn: {
    action: 'Opt in to these limits',
    title: 'Opt in?',
    text: 'From now on payments within exactly these limits are made without asking you. If someone changes the limits, the policy stops until you opt in again.',
    agree: 'I have read the limits and the payees',
    confirm: 'Opt in',
    since: 'Opted in',
  },
  /** The policy has changed since the customer's consent was shown. */
  changed: {
    title: 'Nothing was accepted',
    text: 'This policy was changed after you had read it. Read the present limits; a payee may be another one.',
  },
  proposed: {
    title: 'A payee has changed',
    text: 'The policy does not pay to a payee that has changed. It would pay to these, if you accept them:',
    agree: 'I have read the changed payees',
    action: 'Accept these payees',
    confirmTitle: 'Accept the changed payees?',
    confirmText: 'The policy then pays to the payees as they are shown here, within the same limits.',
    confirm: 'Accept',
    isNew: 'changed',
    note: 'A payee has changed and needs your decision.',
  },
  check: {
    action: 'Check the payees',
    current: 'All payees are as you accepted them.',
  },
  automatic: {
    paid: (left: string, asset: string) => `Paid automatically, ${left} ${asset} left`,
    pause: 'Pause automatic payments',
    paused: 'Paused',
  },
  decline: {
    action: 'Decline',
    title: 'Decline this policy?',
    text: 'Nothing is allowed by it, and it is closed for good. The agent or its merchant can propose another one.',
    confirm: 'Decline',
  },
  pause: 'Pause',
  resume: {
    action: 'Resume',
    confirm: 'Resume',
    title: 'Resume this policy?',
    text: 'It holds again with the limits on this page. What was used stays used.',
  },
  stop: {
    action: 'Stop for good',
    title: 'Stop this policy for good?',
    text: 'The agent can plan nothing more under it. Payments that are under way are not called back. It cannot be started again.',
    confirm: 'Stop for good',
  },
});
