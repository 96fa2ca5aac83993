import { type AddressCheck, type AddressChecker, refused } from './result.ts';
import { checkPlainText } from './text.ts';

/** One kind per address format; networks that share a format (all EVM chains, both Stellar networks) share a kind. */
export const ADDRESS_KINDS = [
  'stellar',
  'evm',
  'solana',
  'bitcoin',
  'litecoin',
  'dogecoin',
  'bitcoin_cash',
  'xrpl',
  'sui',
  'aptos',
  'starknet',
  'hedera',
  'cardano',
  'cosmos',
  'polkadot',
  'ton',
  'algorand',
  'tezos',
  'internet_computer',
  'filecoin',
] as const;

export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** Each family is plugged in here with one line. */
const CHECKERS: Partial<Record<AddressKind, AddressChecker>> = {};

export function checkAddressOfKind(kind: AddressKind, text: string): AddressCheck {
  const checker = CHECKERS[kind];
  if (checker === undefined) return refused(`Addresses of the kind ${kind} cannot be checked.`);
  return checkPlainText(text) ?? checker(text);
}
