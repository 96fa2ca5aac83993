import { checkAlgorandAddress } from './algorand.ts';
import { checkBitcoinCashAddress } from './bitcoin-cash.ts';
import { checkBitcoinAddress, checkDogecoinAddress, checkLitecoinAddress } from './bitcoin-like.ts';
import { checkCardanoAddress } from './cardano.ts';
import { type AddressCheck, type AddressChecker, checker, needPlainText, refuse } from './checker.ts';
import { checkCosmosAddress } from './cosmos.ts';
import { checkEvmAddress } from './evm.ts';
import { checkFilecoinAddress } from './filecoin.ts';
import { checkHederaAddress } from './hedera.ts';
import { checkInternetComputerAddress } from './internet-computer.ts';
import { checkAptosAddress, checkSuiAddress } from './move.ts';
import { checkPolkadotAddress } from './polkadot.ts';
import { checkSolanaAddress } from './solana.ts';
import { checkStarknetAddress } from './starknet.ts';
import { checkStellarAddress } from './stellar.ts';
import { checkTezosAddress } from './tezos.ts';
import { checkTonAddress } from './ton.ts';
import { checkXrplAddress } from './xrpl.ts';

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
const CHECKERS: Readonly<Record<AddressKind, AddressChecker>> = {
  stellar: checkStellarAddress,
  evm: checkEvmAddress,
  solana: checkSolanaAddress,
  bitcoin: checkBitcoinAddress,
  litecoin: checkLitecoinAddress,
  dogecoin: checkDogecoinAddress,
  bitcoin_cash: checkBitcoinCashAddress,
  xrpl: checkXrplAddress,
  sui: checkSuiAddress,
  aptos: checkAptosAddress,
  starknet: checkStarknetAddress,
  hedera: checkHederaAddress,
  filecoin: checkFilecoinAddress,
  internet_computer: checkInternetComputerAddress,
  tezos: checkTezosAddress,
  algorand: checkAlgorandAddress,
  ton: checkTonAddress,
  polkadot: checkPolkadotAddress,
  cosmos: checkCosmosAddress,
  cardano: checkCardanoAddress,
};

/**
 * A leading scheme, as in a payment link or a CAIP-10 id. CashAddr is the only address format that includes a prefix
 * with a colon.
 */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

const checkPlain = checker((text) => {
  needPlainText(text);
  return text;
});

const checkAlone = checker((text) => {
  needPlainText(text);
  if (SCHEME.test(text)) refuse('Enter the address alone, without the part before the colon.');
  return text;
});

export function checkAddressOfKind(kind: AddressKind, text: string): AddressCheck {
  const general = kind === 'bitcoin_cash' ? checkPlain(text) : checkAlone(text);
  return general.ok ? CHECKERS[kind](text) : general;
}
