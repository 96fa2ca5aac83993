import { translated } from '../language.ts';

/** Review of payments. */
export const review = translated('review', {
  title: 'Review payment',
  back: 'Back to the inbox',
  now: (status: string) => `This payment is now ${status}.`,
  elsewhere: {
    title: 'This request is not in this wallet',
    text: 'It was sent to another wallet. Open the link in the browser that has that wallet.',
  },
  pinned: {
    label: 'Pinned details of this payment',
    asks: 'asks you to pay',
    asked: 'asked you to pay',
    anAgent: 'An agent',
    details: 'Address and details',
    copyAddress: 'address',
    digest: 'Digest of these details',
    international: 'International name: it can look like another one',
    payee: 'Full name of the payee',
    domain: 'Verified domain',
    statedDomain: 'Domain, as the service states',
    log: 'Transparency log',
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
      operator: 'a team member of the merchant',
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
    holds: 'Unchanged since the agent requested it.',
    broken: 'Do not pay: these details do not match what was pinned.',
  },
  log: {
    checking: 'Checking the payee …',
    verified: 'Checked on this device: this payee is in the transparency log since',
    lines: {
      not_logged: 'This payee is not in the transparency log',
      unreachable: 'The transparency log cannot be checked now',
      new_key: 'The transparency log has a new key',
      forked: 'Do not pay: the transparency log contradicts itself',
      broken: 'Do not pay: the proof of this payee is wrong',
    },
    explain: {
      not_logged:
        'It was activated before there was a log, or its entry is not in the tree yet. Only the service vouches for it.',
      unreachable:
        'The proof of the payee or the log cannot be loaded. You may decide, but for now only the service vouches for this payee.',
      new_key:
        'The log is signed with a key that this wallet has not seen before. Ask the host of this service whether its master key was changed. Until then only the service vouches for this payee.',
      forked:
        'The log that the service shows now does not continue the one that it showed you before. You may be shown another payee than other people. Tell the host of this service, and compare with a monitor of the log.',
      broken:
        'This device recomputed the proof of the payee, and it is not about the details shown here. Reject the request and tell the host of this service.',
    },
    trust: {
      action: 'Trust the log as it is now',
      title: 'Discard what this wallet knows of the log?',
      text: 'This wallet deletes the key and the state of the log that it knows, and takes those that the service shows now. Do this only when the host of this service has explained why they changed.',
      confirm: 'Trust it',
    },
  },
  broken: {
    title: 'This request cannot be approved',
    text: 'This device recomputed the digest of the details above, and it differs from the one that was pinned. They were changed on the way to you. Do not pay; the request expires. Tell the host of this service.',
    changed:
      'The details changed between what you saw and what would be signed. Nothing was signed. Check them again.',
  },
  notes: {
    title: 'Warnings',
    first: 'First payment to this payee from this wallet. Do you know this domain?',
    claims:
      'A name here contains a check mark, an amount, a link or a word such as “verified”, and is not shown. Only the domain was checked.',
    unbound: 'Only the domain was proved: the address is the merchant’s statement.',
    recent: (ago: string) => `The payee’s address was set ${ago}.`,
    paidBefore: (times: number) =>
      times === 1 ? 'Paid once, same address' : `Paid ${times} times, same address`,
    earlier: (amount: string, when: string, state: string) => `${amount}, requested on ${when}, ${state}`,
    changed: (when: string) => `Changed since the payment of ${when}:`,
    version: 'The payee renewed its record; the address stayed the same.',
    name: 'The payee’s name is another one. It was:',
    domain: (before: string) => `The verified domain is another one. It was ${before}.`,
    none: 'none',
    sameName: (domain: string) =>
      `You have paid another payee whose name looks the same (${domain}). This is not the same payee.`,
    lookAlike:
      'You have paid an address that begins and ends like this one but is another one. Compare every group:',
    repeated: (when: string) =>
      `You paid the same amount to this payee already (${when}). Is this one meant as well?`,
    duplicate:
      'Possible duplicate: the same amount to the same payee was requested in the last 24 hours. Earlier requests:',
    secondPayment: 'According to the agent this is a second payment on purpose, after the request',
    tooMuch: 'The network cannot carry this amount. It cannot be approved.',
    noPayee: {
      operator: 'No domain proves whose address this is. A team member of the merchant typed it.',
      agent: 'No domain proves whose address this is. The agent typed it.',
      user: 'No domain proves whose address this is. You typed it in this wallet.',
      unknown: 'No domain proves whose address this is.',
    },
    unverifiedDomain:
      'No domain vouches for this payee, or the one that did was lost. Do not pay unless you know why.',
    notCurrent:
      'The merchant has replaced or archived this payee since the request was made. Check with the merchant before you pay.',
    paused: 'You have paused this agent. You can still decide on its earlier requests.',
    revoked: 'The connection of this agent is revoked.',
    withinPolicy: 'Falls under an automation policy that you opted in to.',
    byHuman: 'Submitted by a person, so policy limits were not applied.',
    policyLink: 'See the policy',
    remaining: (remaining: string, asset: string) => `Left under the policy: ${remaining} ${asset}.`,
  },
  purpose: {
    mark: 'says the agent',
    none: 'The agent does not say what for.',
    withheld: 'What for: see the agent’s words below.',
  },
  said: {
    title: 'What the agent says',
    mark: 'not verified',
    explain:
      'These are the agent’s own words. They cannot change the details above; if they differ, the details count.',
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
  /** A long amount does not fit on a button. */
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
