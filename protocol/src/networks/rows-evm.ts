import { evmRow } from './row-builders.ts';
import type { NetworkRow } from './types.ts';

const ETHEREUM = evmRow('ethereum_mainnet', {
  title: 'Ethereum',
  chainId: 1,
  nativeRail: 'ethereum_eth',
  explorer: 'https://etherscan.io',
});

/** The specification has no rail for ether on Base: what can be paid there is USDC and other tokens. */
const BASE: NetworkRow = {
  ...evmRow('base_mainnet', {
    title: 'Base',
    chainId: 8453,
    nativeRail: 'base_usdc',
    explorer: 'https://basescan.org',
  }),
  nativeRail: undefined,
  nativeAsset: 'ETH',
};

export const EVM_ROWS: readonly NetworkRow[] = [
  ETHEREUM,
  BASE,
  evmRow('bsc_mainnet', {
    title: 'BNB Smart Chain',
    chainId: 56,
    nativeRail: 'bsc_bnb',
    explorer: 'https://bscscan.com',
  }),
  evmRow('arbitrum_one', {
    title: 'Arbitrum One',
    chainId: 42161,
    nativeRail: 'arbitrum_eth',
    explorer: 'https://arbiscan.io',
  }),
  evmRow('polygon_pos', {
    title: 'Polygon PoS',
    chainId: 137,
    nativeRail: 'polygon_pol',
    explorer: 'https://polygonscan.com',
  }),
  evmRow('avalanche_c_chain', {
    title: 'Avalanche C-Chain',
    chainId: 43114,
    nativeRail: 'avalanche_avax',
    explorer: 'https://snowtrace.io',
  }),
  evmRow('optimism_mainnet', {
    title: 'OP Mainnet',
    chainId: 10,
    nativeRail: 'optimism_eth',
    explorer: 'https://optimistic.etherscan.io',
  }),
  evmRow('cronos_mainnet', {
    title: 'Cronos',
    chainId: 25,
    nativeRail: 'cronos_cro',
    explorer: 'https://explorer.cronos.org',
  }),
  evmRow('mantle_mainnet', {
    title: 'Mantle',
    chainId: 5000,
    nativeRail: 'mantle_mnt',
    explorer: 'https://mantlescan.xyz',
  }),
  evmRow('zksync_era', {
    title: 'ZKsync Era',
    chainId: 324,
    nativeRail: 'zksync_eth',
    explorer: 'https://explorer.zksync.io',
  }),
  evmRow('linea_mainnet', {
    title: 'Linea',
    chainId: 59144,
    nativeRail: 'linea_eth',
    explorer: 'https://lineascan.build',
  }),
];
