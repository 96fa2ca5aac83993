import { translated } from '../language.ts';

/** What makes a payment to a known payee dangerous, and what was checked before the decision. */
export const danger = translated('danger', {
  title: 'Danger: not like your earlier payments to this payee',
  imitation: 'Danger: this looks like someone you have paid, and is someone else',
  address: 'The money would go to another address. It went to:',
  network: (before: string) => `The network is another one. It was ${before}.`,
  asset: (before: string) => `The asset is another one. It was ${before}.`,
  issuer: 'The asset has the same name but another issuer. It was:',
  contract: 'The asset has the same name but another token contract. It was:',
  memo: 'The memo is another one, so the money may reach another account. It was:',
  amount: (highest: string, times: string) =>
    `The amount is at least ${times} times the highest one so far (${highest}).`,
  none: 'none',
  advice: 'Check with the payee before you pay, and not through this agent: call a number that you know.',
  confirm: 'I have checked this and want to pay',
});

export const checks = translated('checks', {
  missing: (checks: string) => `Not checked: ${checks}. You can wait, or decide on what you see.`,
  names: {
    log: 'the transparency log',
    history: 'earlier payments to this payee',
    connections: 'the agent',
  },
  checking: 'Checking payee and earlier payments …',
  confirmFirst: 'First tick the box in the red warning.',
});
