import { toBaseUnits } from '../amounts.ts';
import type { PaymentUriInput, PaymentUriStandard } from './types.ts';

type Parameter = readonly [name: string, value: string | null | undefined];

const STELLAR_TESTNET_PASSPHRASE = 'Test SDF Network ; September 2015';

/** SEP-7. The passphrase is named for every network but the public one, as the standard asks. */
export function sep7(isTestnet: boolean): PaymentUriStandard {
  return {
    name: 'SEP-7',
    build: (input) =>
      withQuery('web+stellar:pay', [
        ['destination', input.address],
        ['amount', input.amount],
        ['asset_code', input.issuer ? input.asset : undefined],
        ['asset_issuer', input.issuer],
        ['memo', input.memo],
        ['memo_type', input.memo ? 'MEMO_TEXT' : undefined],
        ['network_passphrase', isTestnet ? STELLAR_TESTNET_PASSPHRASE : undefined],
      ]),
  };
}

/** BIP-21 and the same form under the schemes of other coins. */
export function bip21(scheme: string): PaymentUriStandard {
  return {
    name: 'BIP-21',
    build: ({ address, amount }) => withQuery(`${scheme}:${address}`, [['amount', amount]]),
  };
}

/** A CashAddr address already begins with the scheme. */
export const BIP21_CASH_ADDRESS: PaymentUriStandard = {
  name: 'BIP-21',
  build: ({ address, amount }) => withQuery(address, [['amount', amount]]),
};

/** ERC-681: a transfer of the network's coin, or of a token by calling its `transfer`. */
export function erc681(chainId: number): PaymentUriStandard {
  return {
    name: 'ERC-681',
    build: (input) => {
      const units = unitsOf(input);
      if (units === undefined) return undefined;
      if (!input.contract) return withQuery(`ethereum:${input.address}@${chainId}`, [['value', units.text]]);
      return withQuery(`ethereum:${input.contract}@${chainId}/transfer`, [
        ['address', input.address],
        ['uint256', units.text],
      ]);
    },
  };
}

export const SOLANA_PAY: PaymentUriStandard = {
  name: 'Solana Pay',
  build: ({ address, amount, memo }) =>
    withQuery(`solana:${address}`, [
      ['amount', amount],
      ['memo', memo],
    ]),
};

/** The parameters of XLS-2 (`amount` in XRP, `dt` for the tag) behind the ledger's own scheme. */
export const XRPL_URI: PaymentUriStandard = {
  name: 'XLS-2',
  build: ({ address, amount, memo }) =>
    withQuery(`xrpl:${address}`, [
      ['amount', amount],
      ['dt', memo],
    ]),
};

/** `ton://transfer` counts in nanotons and takes the user-friendly form; wallets do not agree on the raw one (`0:…`). */
export const TON_TRANSFER: PaymentUriStandard = {
  name: 'ton://transfer',
  build: (input) => {
    const units = unitsOf(input);
    if (units === undefined || input.address.includes(':')) return undefined;
    return withQuery(`ton://transfer/${input.address}`, [
      ['amount', units.text],
      ['text', input.memo],
    ]);
  },
};

/** CIP-13 has no place for a message, so a payee with a memo gets no link. */
export const CARDANO_URI: PaymentUriStandard = {
  name: 'CIP-13',
  build: ({ address, amount, memo }) =>
    memo ? undefined : withQuery(`web+cardano:${address}`, [['amount', amount]]),
};

/** ARC-26 counts in microalgos; `xnote` is the note that the payer must not change. */
export const ALGORAND_URI: PaymentUriStandard = {
  name: 'ARC-26',
  build: (input) => {
    const units = unitsOf(input);
    if (units === undefined) return undefined;
    return withQuery(`algorand://${input.address}`, [
      ['amount', units.text],
      ['xnote', input.memo],
    ]);
  },
};

/** The amount in the smallest unit; no text without an amount, nothing at all when it is finer than the asset. */
function unitsOf({ amount, decimals }: PaymentUriInput): { text: string | undefined } | undefined {
  if (!amount) return { text: undefined };
  const units = toBaseUnits(amount, decimals);
  return units === undefined ? undefined : { text: units.toString() };
}

function withQuery(base: string, parameters: readonly Parameter[]): string {
  const query = parameters
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
  return query === '' ? base : `${base}?${query}`;
}
