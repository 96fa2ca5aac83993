import type { Network, Rail } from '../enumerations.ts';
import { NO_MEMO } from './memo.ts';
import { erc681 } from './payment-uri.ts';
import { assetOfRail } from './rows-ledgers.ts';
import type { NetworkRow } from './types.ts';

type EvmRow = readonly [network: Network, title: string, chainId: number, nativeRail: Rail, explorer: string];

/** The last is the origin of an explorer with the usual path `/tx/`. */
const ROWS: readonly EvmRow[] = [
  ['ethereum_mainnet', 'Ethereum', 1, 'ethereum_eth', 'https://etherscan.io'],
  ['base_mainnet', 'Base', 8453, 'base_usdc', 'https://basescan.org'],
  ['bsc_mainnet', 'BNB Smart Chain', 56, 'bsc_bnb', 'https://bscscan.com'],
  ['arbitrum_one', 'Arbitrum One', 42161, 'arbitrum_eth', 'https://arbiscan.io'],
  ['polygon_pos', 'Polygon PoS', 137, 'polygon_pol', 'https://polygonscan.com'],
  ['avalanche_c_chain', 'Avalanche C-Chain', 43114, 'avalanche_avax', 'https://snowtrace.io'],
  ['optimism_mainnet', 'OP Mainnet', 10, 'optimism_eth', 'https://optimistic.etherscan.io'],
  ['cronos_mainnet', 'Cronos', 25, 'cronos_cro', 'https://explorer.cronos.org'],
  ['mantle_mainnet', 'Mantle', 5000, 'mantle_mnt', 'https://mantlescan.xyz'],
  ['zksync_era', 'ZKsync Era', 324, 'zksync_eth', 'https://explorer.zksync.io'],
  ['linea_mainnet', 'Linea', 59144, 'linea_eth', 'https://lineascan.build'],
];

const EVM_DECIMALS = 18;

export const EVM_ROWS: readonly NetworkRow[] = ROWS.map(
  ([network, title, chainId, nativeRail, explorer]): NetworkRow => ({
    network,
    title,
    isTestnet: false,
    caip2: `eip155:${chainId}`,
    rails: [nativeRail, 'evm_erc20'],
    nativeRail,
    nativeAsset: assetOfRail(nativeRail),
    decimals: EVM_DECIMALS,
    chainId,
    addressKind: 'evm',
    memo: NO_MEMO,
    explorer: `${explorer}/tx/*`,
    paymentUri: erc681(chainId),
    // The specification has no rail for ether on Base: what can be paid there is USDC and other tokens.
    ...(network === 'base_mainnet' ? { nativeRail: undefined, nativeAsset: 'ETH' } : {}),
  }),
);
