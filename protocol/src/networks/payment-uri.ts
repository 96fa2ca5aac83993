import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { fromBaseUnits, toBaseUnits } from '../amounts.ts';
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { isHashMemo } from './memo.ts';
import type { PaymentUriInput, PaymentUriStandard } from './types.ts';

type Parameter = readonly [name: string, value: string | null | undefined];

const STELLAR_TESTNET_PASSPHRASE = 'Test SDF Network ; September 2015';

/** SEP-7. The passphrase is included for every network but the public one, as the standard requires. */
export function sep7(isTestnet: boolean): PaymentUriStandard {
  return {
    name: 'SEP-7',
    build: (input) =>
      withQuery('web+stellar:pay', [
        ['destination', input.address],
        ['amount', input.amount],
        ['asset_code', input.issuer ? input.asset : undefined],
        ['asset_issuer', input.issuer],
        ['memo', isHashMemo(input.memo) ? encodeBase64(hexToBytes(input.memo)) : input.memo],
        ['memo_type', isHashMemo(input.memo) ? 'MEMO_HASH' : input.memo ? 'MEMO_TEXT' : undefined],
        ['network_passphrase', isTestnet ? STELLAR_TESTNET_PASSPHRASE : undefined],
      ]),
    read: ({ query }, native) => ({
      ...native,
      asset: query.get('asset_code') ?? native.asset,
      address: query.get('destination') ?? '',
      amount: query.get('amount') ?? null,
      memo: stellarMemo(query),
      issuer: query.get('asset_issuer') ?? null,
    }),
  };
}

function stellarMemo(query: ReadonlyMap<string, string>): string | null {
  const memo = query.get('memo') ?? null;
  if (memo === null || query.get('memo_type') !== 'MEMO_HASH') return memo;
  return bytesToHex(decodeBase64(memo) ?? new Uint8Array());
}

interface PlainForm {
  readonly name: string;
  /** What is in front of the address. */
  readonly start: string;
  /** The amount counts in the smallest unit. */
  readonly inUnits?: boolean;
  /** The parameter of the memo, where the standard has a place for one. */
  readonly memo?: string;
}

/** The address behind a scheme, and the rest as parameters. */
function plain({ name, start, inUnits = false, memo }: PlainForm): PaymentUriStandard {
  return {
    name,
    build: (input) => {
      const amount = inUnits ? unitsOf(input) : { text: input.amount };
      if (amount === undefined || (input.memo && memo === undefined)) return undefined;
      return withQuery(`${start}${input.address}`, [
        ['amount', amount.text],
        [memo ?? '', input.memo],
      ]);
    },
    read: ({ path, query }, native) => {
      const amount = query.get('amount') ?? null;
      return {
        ...native,
        address: path.startsWith(start) ? path.slice(start.length) : '',
        amount: inUnits ? amountOf(amount, native.decimals) : amount,
        memo: query.get(memo ?? '') ?? null,
      };
    },
  };
}

/** BIP-21 and the same form under the schemes of other coins. */
export const bip21 = (scheme: string): PaymentUriStandard => plain({ name: 'BIP-21', start: `${scheme}:` });

/** A CashAddr address already begins with the scheme. */
export const BIP21_CASH_ADDRESS = plain({ name: 'BIP-21', start: '' });

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
    read: ({ path, query }, native, token) => {
      const [, target = '', call] = /^ethereum:(0x[0-9a-zA-Z]*)@\d+(\/transfer)?$/.exec(path) ?? [];
      if (call === undefined)
        return { ...native, address: target, amount: amountOf(query.get('value') ?? null, native.decimals) };
      const named = token ?? { asset: target, decimals: 0 };
      const amount = amountOf(query.get('uint256') ?? null, named.decimals);
      return { ...named, address: query.get('address') ?? '', amount, contract: target };
    },
  };
}

export const SOLANA_PAY = plain({ name: 'Solana Pay', start: 'solana:', memo: 'memo' });

/** The parameters of XLS-2 (`amount` in XRP, `dt` for the tag) behind the ledger's own scheme. */
export const XRPL_URI = plain({ name: 'XLS-2', start: 'xrpl:', memo: 'dt' });

const TON = plain({ name: 'ton://transfer', start: 'ton://transfer/', inUnits: true, memo: 'text' });

/** It takes the user-friendly form; wallets do not agree on the raw one (`0:…`). */
export const TON_TRANSFER: PaymentUriStandard = {
  ...TON,
  build: (input) => (input.address.includes(':') ? undefined : TON.build(input)),
};

/** CIP-13 has no place for a message, so a payee with a memo gets no link. */
export const CARDANO_URI = plain({ name: 'CIP-13', start: 'web+cardano:' });

/** ARC-26 counts in microalgos; `xnote` is the note that the payer must not change. */
export const ALGORAND_URI = plain({ name: 'ARC-26', start: 'algorand://', inUnits: true, memo: 'xnote' });

/** The amount in the smallest unit; no text without an amount, nothing at all when it is finer than the asset. */
function unitsOf({ amount, decimals }: PaymentUriInput): { text: string | undefined } | undefined {
  if (!amount) return { text: undefined };
  const units = toBaseUnits(amount, decimals);
  return units === undefined ? undefined : { text: units.toString() };
}

function amountOf(units: string | null, decimals: number): string | null {
  return units !== null && /^\d{1,80}$/.test(units) ? fromBaseUnits(BigInt(units), decimals) : null;
}

function withQuery(base: string, parameters: readonly Parameter[]): string {
  const query = parameters
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
  return query === '' ? base : `${base}?${query}`;
}
