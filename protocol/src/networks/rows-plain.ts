import { ledgerRow } from './row-builders.ts';
import type { NetworkRow } from './types.ts';

/** Networks of their own kind on which a payment carries neither a memo nor a link of a settled standard. */
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
