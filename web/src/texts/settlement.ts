import { translated } from './language.ts';

/** The settlement of a payment, apart from the wallet's reports. */
export const settlement = translated('settlement', {
  title: 'On the chain',
  unchecked: 'Reported by the wallet, not checked',
  states: {
    unknown: 'The chain could not be reached',
    unseen: 'Not on the chain so far',
    seen: 'On the chain, not final yet',
    final: 'Confirmed on chain',
    mismatch: 'On the chain, but not as approved',
    failed_on_chain: 'Failed on the chain: nothing was paid',
  },
  facts: {
    to: 'address',
    asset: 'asset',
    issuer: 'issuer',
    contract: 'contract',
    amount: 'amount',
    memo: 'memo',
    time: 'older than the request',
    claimed: 'paid for another request',
  },
  view: 'view',
});
