import type { AddressKind } from '../addresses/kinds.ts';
import type { Network, Rail } from '../enumerations.ts';
import { MEMO_RULES, type MemoRule, NO_MEMO } from './memo.ts';
import {
  ALGORAND_URI,
  BIP21_CASH_ADDRESS,
  bip21,
  CARDANO_URI,
  SOLANA_PAY,
  sep7,
  TON_TRANSFER,
  XRPL_URI,
} from './payment-uri.ts';
import type { NetworkRow, PaymentUriStandard } from './types.ts';

interface LedgerFacts {
  readonly title: string;
  readonly caip2: string;
  readonly rail: Rail;
  readonly decimals: number;
  readonly addressKind: AddressKind;
  readonly explorer: NetworkRow['explorer'];
  readonly memo?: MemoRule;
  readonly chainId?: number;
  readonly paymentUri?: PaymentUriStandard;
  readonly isTestnet?: boolean;
}

/** The symbol of a network's own coin is the last part of its rail in upper case. */
export function assetOfRail(rail: Rail): string {
  return rail.slice(rail.lastIndexOf('_') + 1).toUpperCase();
}

function ledgerRow(network: Network, facts: LedgerFacts): NetworkRow {
  return {
    network,
    title: facts.title,
    isTestnet: facts.isTestnet ?? false,
    caip2: facts.caip2,
    rails: [facts.rail],
    nativeRail: facts.rail,
    nativeAsset: assetOfRail(facts.rail),
    decimals: facts.decimals,
    chainId: facts.chainId,
    addressKind: facts.addressKind,
    memo: facts.memo ?? NO_MEMO,
    explorer: facts.explorer,
    paymentUri: facts.paymentUri,
  };
}

function stellarRow(network: 'stellar_public' | 'stellar_testnet'): NetworkRow {
  const isTestnet = network === 'stellar_testnet';
  const explorer = `https://stellar.expert/explorer/${isTestnet ? 'testnet' : 'public'}`;
  return ledgerRow(network, {
    title: isTestnet ? 'Stellar testnet' : 'Stellar',
    isTestnet,
    caip2: isTestnet ? 'stellar:testnet' : 'stellar:pubnet',
    rail: 'stellar_xlm',
    decimals: 7,
    addressKind: 'stellar',
    memo: MEMO_RULES.stellar,
    explorer: `${explorer}/tx/*`,
    paymentUri: sep7(isTestnet),
  });
}

export const BITCOIN_LIKE_ROWS: readonly NetworkRow[] = [
  ledgerRow('bitcoin_mainnet', {
    title: 'Bitcoin',
    caip2: 'bip122:000000000019d6689c085ae165831e93',
    rail: 'bitcoin_btc',
    decimals: 8,
    addressKind: 'bitcoin',
    explorer: 'https://mempool.space/tx/*',
    paymentUri: bip21('bitcoin'),
  }),
  ledgerRow('litecoin_mainnet', {
    title: 'Litecoin',
    caip2: 'bip122:12a765e31ffd4059bada1e25190f6e98',
    rail: 'litecoin_ltc',
    decimals: 8,
    addressKind: 'litecoin',
    explorer: 'https://litecoinspace.org/tx/*',
    paymentUri: bip21('litecoin'),
  }),
  ledgerRow('bitcoin_cash_mainnet', {
    title: 'Bitcoin Cash',
    // The first block after the split from Bitcoin, as wallets use it.
    caip2: 'bip122:000000000000000000651ef99cb9fcbe',
    rail: 'bitcoin_cash_bch',
    decimals: 8,
    addressKind: 'bitcoin_cash',
    explorer: 'https://blockchair.com/bitcoin-cash/transaction/*',
    paymentUri: BIP21_CASH_ADDRESS,
  }),
  ledgerRow('dogecoin_mainnet', {
    title: 'Dogecoin',
    caip2: 'bip122:1a91e3dace36e2be3bf030a65679fe82',
    rail: 'dogecoin_doge',
    decimals: 8,
    addressKind: 'dogecoin',
    explorer: 'https://dogechain.info/tx/*',
    paymentUri: bip21('dogecoin'),
  }),
];

export const MEMO_ROWS: readonly NetworkRow[] = [
  stellarRow('stellar_public'),
  stellarRow('stellar_testnet'),
  ledgerRow('solana_mainnet', {
    title: 'Solana',
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    rail: 'solana_sol',
    decimals: 9,
    addressKind: 'solana',
    memo: MEMO_RULES.solana,
    explorer: 'https://explorer.solana.com/tx/*',
    paymentUri: SOLANA_PAY,
  }),
  ledgerRow('xrpl_mainnet', {
    title: 'XRP Ledger',
    caip2: 'xrpl:0',
    rail: 'xrpl_xrp',
    decimals: 6,
    addressKind: 'xrpl',
    memo: MEMO_RULES.xrpl,
    explorer: 'https://livenet.xrpl.org/transactions/*',
    paymentUri: XRPL_URI,
  }),
  ledgerRow('ton_mainnet', {
    title: 'TON',
    caip2: 'tvm:-239',
    rail: 'ton_ton',
    decimals: 9,
    addressKind: 'ton',
    memo: MEMO_RULES.ton,
    explorer: 'https://tonviewer.com/transaction/*',
    paymentUri: TON_TRANSFER,
  }),
  ledgerRow('cardano_mainnet', {
    title: 'Cardano',
    caip2: 'cip34:1-764824073',
    rail: 'cardano_ada',
    decimals: 6,
    addressKind: 'cardano',
    memo: MEMO_RULES.cardano,
    explorer: 'https://cardanoscan.io/transaction/*',
    paymentUri: CARDANO_URI,
  }),
  ledgerRow('cosmos_hub', {
    title: 'Cosmos Hub',
    caip2: 'cosmos:cosmoshub-4',
    rail: 'cosmos_atom',
    decimals: 6,
    addressKind: 'cosmos',
    memo: MEMO_RULES.cosmos,
    explorer: 'https://www.mintscan.io/cosmos/tx/*',
  }),
  ledgerRow('hedera_mainnet', {
    title: 'Hedera',
    caip2: 'hedera:mainnet',
    rail: 'hedera_hbar',
    decimals: 8,
    addressKind: 'hedera',
    memo: MEMO_RULES.hedera,
    explorer: 'https://hashscan.io/mainnet/transaction/*',
  }),
  ledgerRow('algorand_mainnet', {
    title: 'Algorand',
    caip2: 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k',
    rail: 'algorand_algo',
    decimals: 6,
    addressKind: 'algorand',
    memo: MEMO_RULES.algorand,
    explorer: 'https://explorer.perawallet.app/tx/*',
    paymentUri: ALGORAND_URI,
  }),
  ledgerRow('internet_computer', {
    title: 'Internet Computer',
    // From the namespace's proposal, as ICRC-22 uses it; CAIP-2 has not registered one yet.
    caip2: 'icp:737ba355e855bd4b61279056603e0550',
    rail: 'internet_computer_icp',
    decimals: 8,
    addressKind: 'internet_computer',
    memo: MEMO_RULES.internetComputer,
    explorer: 'https://dashboard.internetcomputer.org/transaction/*',
  }),
];

/** Networks of no common family, on which a payment carries neither a memo nor a link of an established standard. */
export const PLAIN_ROWS: readonly NetworkRow[] = [
  ledgerRow('sui_mainnet', {
    title: 'Sui',
    caip2: 'sui:mainnet',
    rail: 'sui_sui',
    decimals: 9,
    addressKind: 'sui',
    explorer: 'https://suiscan.xyz/mainnet/tx/*',
  }),
  ledgerRow('aptos_mainnet', {
    title: 'Aptos',
    caip2: 'aptos:1',
    rail: 'aptos_apt',
    decimals: 8,
    chainId: 1,
    addressKind: 'aptos',
    explorer: 'https://explorer.aptoslabs.com/txn/*?network=mainnet',
  }),
  ledgerRow('polkadot_mainnet', {
    title: 'Polkadot',
    caip2: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    rail: 'polkadot_dot',
    decimals: 10,
    addressKind: 'polkadot',
    explorer: 'https://polkadot.subscan.io/extrinsic/*',
  }),
  ledgerRow('starknet_mainnet', {
    title: 'Starknet',
    caip2: 'starknet:SN_MAIN',
    rail: 'starknet_strk',
    decimals: 18,
    addressKind: 'starknet',
    explorer: 'https://voyager.online/tx/*',
  }),
  ledgerRow('tezos_mainnet', {
    title: 'Tezos',
    caip2: 'tezos:NetXdQprcVkpaWU',
    rail: 'tezos_xtz',
    decimals: 6,
    addressKind: 'tezos',
    explorer: 'https://tzkt.io/*',
  }),
  ledgerRow('filecoin_mainnet', {
    title: 'Filecoin',
    caip2: 'fil:f',
    rail: 'filecoin_fil',
    decimals: 18,
    addressKind: 'filecoin',
    explorer: 'https://filfox.info/en/message/*',
  }),
];
