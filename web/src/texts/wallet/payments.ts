import { translated } from '../language.ts';

/** Inbox and review of payments. */
export const inbox = translated('inbox', {
  title: 'Inbox',
  waiting: 'Waiting for you',
  recent: 'Decided and under way',
  emptyTitle: 'Nothing waits for you',
  empty:
    'When a connected agent asks for a payment, it appears here automatically. You will see payee, amount and address as they were pinned before you decide.',
  emptyAction: 'Connect an agent',
  live: 'Up to date. New requests appear by themselves.',
  lost: 'The service cannot be reached. What you see may be out of date; this page retries automatically.',
  invitations: (count: number) =>
    count === 1 ? 'An agent asks for a connection.' : `${count} agents ask for a connection.`,
  reviewInvitations: 'Review',
  bareAddress: 'Address without a verified payee',
  review: 'Review',
  open: 'Open',
  expires: 'expires',
  asked: 'asked',
  more: 'Show more',
  brokenRow: 'One request cannot be shown. Reload the page; if that does not help, tell the operator.',
});

export const statusTexts = translated('statusTexts', {
  pending: 'waiting',
  signed: 'approved',
  broadcasted: 'sent',
  confirmed: 'confirmed',
  failed: 'failed',
  expired: 'expired',
  rejected: 'rejected',
  cancelled: 'withdrawn',
});

export const review = translated('review', {
  title: 'Review payment',
  back: 'Back to the inbox',
  now: (status: string) => `This payment is now ${status}.`,
  pinned: {
    label: 'Pinned facts of this payment',
    asks: 'asks you to pay',
    asked: 'asked you to pay',
    anAgent: 'An agent',
    details: 'Address and details',
    copyAddress: 'address',
    digest: 'Digest of these facts',
    international: 'International name: it can look like another one',
    payee: 'Full name of the payee',
    domain: 'Verified domain',
    statedDomain: 'Domain, as the service says',
    log: 'Public log',
    noDomain: 'no verified domain',
    proof: 'Proof',
    bindings: {
      payee: 'Payee address proved in the domain’s own record',
      domain: 'Only the domain was proved: the address is the merchant’s statement',
    },
    changed: 'Payee changed',
    noPayee: 'No verified payee: a bare address',
    typed: 'Address typed by',
    typedBy: {
      operator: 'an operator of the merchant',
      agent: 'the agent',
      user: 'you, in this wallet',
      unknown: 'a person; it was not recorded who',
    },
    network: 'Network',
    testnet: 'no real money',
    address: 'To this address',
    issuer: 'Asset issued by',
    contract: 'Token contract',
    memo: 'Memo',
    hashMemo: 'Memo (hash)',
    noMemo: 'none',
    expires: 'Decide before',
    createdWith: 'Created with',
    origins: {
      proof: 'the agent’s key',
      own_token: 'the agent’s own token',
      shared_token: 'a token that a wallet has seen: not only the agent can have created it',
      api_key: 'an API key of the agent',
      operator: 'the sign-in of a team member of the merchant',
      wallet: 'your wallet',
      unknown: 'not recorded',
    },
    holds: 'Unaltered since the agent asked.',
    broken: 'Do not pay: the facts do not match what was pinned.',
  },
  log: {
    checking: 'Looking the payee up …',
    verified: 'Checked on this device: this payee is in the public log since',
    lines: {
      not_logged: 'This payee is not in the public log',
      unreachable: 'The public log cannot be checked now',
      new_key: 'The public log has a new key',
      forked: 'Do not pay: the public log contradicts itself',
      broken: 'Do not pay: the evidence of this payee does not hold',
    },
    explain: {
      not_logged:
        'It was activated before there was a log, or its entry has no place in it yet. Only the service vouches for it.',
      unreachable:
        'The evidence of the payee or the log cannot be read. You may decide, but for the moment only the service vouches for this payee.',
      new_key:
        'The log is signed with a key that this wallet has not seen before. Ask the operator of the service whether its master key was changed. Until then only the service vouches for this payee.',
      forked:
        'The log that is shown to you now does not begin with the one that was shown to you before. Somebody may be showing you another payee than everybody else. Tell the operator, and compare with a monitor of the log.',
      broken:
        'This device computed the evidence again, and it is not about what you see here. Reject the request and tell the operator.',
    },
    trust: {
      action: 'Trust the log as it is now',
      title: 'Forget what was seen before?',
      text: 'This wallet forgets the key and the state of the log that it knows, and takes what the service shows now. Do this only when the operator has told you why it changed.',
      confirm: 'Trust it',
    },
  },
  broken: {
    title: 'This request cannot be approved',
    text: 'This device computed the digest of the facts above and it differs from the one that was pinned. Something between you and the payee changed them. Do not pay it anywhere: it expires by itself. Tell the operator.',
    changed:
      'The facts changed between what you saw and what would be signed. Nothing was signed. Look at them again.',
  },
  notes: {
    title: 'Warnings',
    first: 'First payment to this payee from this wallet. Do you know this domain?',
    claims:
      'A name here contains a check mark, an amount, a link or a word such as “verified”, and is not shown. Only the domain was checked.',
    unbound: 'Only the domain was proved: the address is the merchant’s statement.',
    recent: (ago: string) => `The payee’s address was set ${ago}.`,
    same: (when: string) => `Same payee, address and terms as the payment of ${when}.`,
    changed: (when: string) => `Changed since the payment of ${when}:`,
    version: 'The payee renewed its record; the address stayed the same.',
    name: 'The payee’s name is another one. It was:',
    domain: (before: string) => `The verified domain is another one. It was ${before}.`,
    none: 'none',
    sameName: (domain: string) =>
      `Another payee with the same name (${domain}) was paid before. This is not the same payee.`,
    lookAlike:
      'You have paid an address that begins and ends like this one but is another one. Compare every group:',
    repeated: (when: string) =>
      `You paid the same amount to this payee already (${when}). Is this one meant as well?`,
    duplicate:
      'Possible duplicate: the same amount to the same payee was asked for in the last 24 hours. Earlier requests:',
    secondPayment: 'The agent says that this is a second payment on purpose, after the request',
    tooMuch: 'The network cannot carry this amount. It cannot be approved.',
    noPayee: {
      operator: 'Nobody has proved to whom this address belongs. An operator of the merchant typed it.',
      agent: 'Nobody has proved to whom this address belongs. The agent typed it.',
      user: 'Nobody has proved to whom this address belongs. You typed it in this wallet.',
      unknown: 'Nobody has proved to whom this address belongs.',
    },
    unverifiedDomain:
      'No domain vouches for this payee, or the one that did was lost. Do not pay unless you know why.',
    notCurrent:
      'The merchant has replaced or archived this payee since the request was made. Ask before you pay.',
    paused: 'You have paused this agent. You may still decide on what it asked before.',
    revoked: 'The connection of this agent is revoked.',
    withinPolicy: 'Falls under an automation policy that you opted in to.',
    byHuman: 'Submitted by a person, so policy limits were not applied.',
    policyLink: 'Look at the policy',
    remaining: (remaining: string, asset: string) => `Left under the policy: ${remaining} ${asset}.`,
  },
  said: {
    title: 'What the agent says',
    mark: 'not verified',
    explain:
      'These are the agent’s own words. They cannot change the facts above; if they differ, believe the facts.',
    all: 'Everything the agent says',
    items: 'What is bought, as the agent says',
    item: 'Item',
    quantity: 'Quantity',
    price: 'Price',
    agent: 'Agent',
    forMerchant: 'Works for',
    nothing: 'The agent says nothing about this payment.',
    context: 'Purpose',
    display: 'For display',
    metadata: 'Further data',
    source: 'Source',
    contextMissing: 'The description that belongs to this request cannot be read.',
    contextLoading: 'Reading the description …',
    contextAbsent: 'The agent names a description that it has not written yet.',
    contextLater: 'Added after the request',
    cut: (count: number) => `${count} more entries are not shown.`,
  },
});

export const decision = translated('decision', {
  title: 'Your decision',
  how: 'How it is paid',
  looking: 'Loading …',
  /** A button has room for no long amount. */
  approve: (amount?: string) => (amount === undefined ? 'Approve' : `Approve ${amount}`),
  left: (time: string) => `Expires in ${time}`,
  expired: 'Expired. It can no longer be approved.',
  approveElsewhere:
    'Approving reserves this payment for this device, so that no other device pays it too. Then you pay with your own wallet app and report the transaction here.',
  approveHere: 'Approving signs the transaction on this device and sends it to the network.',
  payElsewhere: 'Pay with another app',
  reject: 'Reject',
  rejectTitle: 'Reject this payment?',
  rejectText:
    'Nothing is paid, and the request is closed for good. The agent and the merchant see the reason.',
  rejectConfirm: 'Reject payment',
  reasonCode: 'Reason',
  reason: {
    label: 'In your words (optional)',
    hint: 'At most 280 characters. The agent and the merchant can read this.',
  },
  reasons: {
    declined_by_user: 'I do not want this payment',
    unknown_payee: 'I do not know this payee',
    wrong_amount: 'The amount is wrong',
    duplicate: 'I have paid this already',
    suspicious: 'Something looks wrong',
  },
});
