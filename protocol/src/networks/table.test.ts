import { describe, expect, it } from 'vitest';
import { NETWORKS, RAILS } from '../enumerations.ts';
import { renderNetworksTable } from './render.ts';
import { explorerUrl, isNativeAsset, NETWORK_TABLE, networkRow, networksOfRail } from './table.ts';

describe('the table of networks', () => {
  it('has one row for each network of the specification, in its order', () => {
    expect(NETWORK_TABLE.map((row) => row.network)).toEqual([...NETWORKS]);
  });

  it('reaches every rail of the specification', () => {
    for (const rail of RAILS) expect(networksOfRail(rail), rail).not.toEqual([]);
  });

  it('offers tokens on every EVM network and nowhere else', () => {
    const evm = NETWORK_TABLE.filter((row) => row.addressKind === 'evm').map((row) => row.network);
    expect(networksOfRail('evm_erc20')).toEqual(evm);
    expect(evm).toHaveLength(11);
  });

  it('knows one native rail per network, and none for Base', () => {
    for (const row of NETWORK_TABLE) {
      if (row.network === 'base_mainnet') expect(row.nativeRail).toBeUndefined();
      else expect(row.rails, row.network).toContain(row.nativeRail);
    }
    expect(networksOfRail('stellar_xlm')).toEqual(['stellar_public', 'stellar_testnet']);
    expect(networksOfRail('base_usdc')).toEqual(['base_mainnet']);
  });

  it('derives the symbol from the rail and compares it exactly', () => {
    expect(networkRow('polygon_pos').nativeAsset).toBe('POL');
    expect(networkRow('internet_computer').nativeAsset).toBe('ICP');
    expect(networkRow('starknet_mainnet').nativeAsset).toBe('STRK');
    expect(isNativeAsset('arbitrum_one', 'ETH')).toBe(true);
    expect(isNativeAsset('arbitrum_one', 'eth')).toBe(false);
    expect(isNativeAsset('base_mainnet', 'ETH')).toBe(false);
    expect(isNativeAsset('stellar_testnet', 'XLM')).toBe(true);
  });

  it('names chains in the form of CAIP-2, each its own', () => {
    const ids = NETWORK_TABLE.map((row) => row.caip2);
    for (const id of ids) expect(id).toMatch(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/);
    expect(new Set(ids).size).toBe(NETWORKS.length);
    expect(networkRow('sui_mainnet').caip2).toBe('sui:mainnet');
  });

  it('has an EIP-155 chain id for every EVM network, equal to the one in its CAIP-2 id', () => {
    for (const row of NETWORK_TABLE) {
      if (row.addressKind === 'evm') expect(row.caip2).toBe(`eip155:${row.chainId}`);
      else expect(row.chainId).toBe(row.network === 'aptos_mainnet' ? 1 : undefined);
    }
  });

  it('marks only the Stellar testnet as a testnet', () => {
    expect(NETWORK_TABLE.filter((row) => row.isTestnet).map((row) => row.network)).toEqual([
      'stellar_testnet',
    ]);
  });
});

describe('explorer links', () => {
  it('are https links that carry the value on every network', () => {
    for (const { network } of NETWORK_TABLE) {
      const url = new URL(explorerUrl(network, 'VALUE'));
      expect(url.protocol).toBe('https:');
      expect(url.pathname, network).toMatch(/\/VALUE$/);
    }
  });

  it('keep the testnet apart from the public network', () => {
    expect(explorerUrl('stellar_testnet', 'ab')).toBe('https://stellar.expert/explorer/testnet/tx/ab');
    expect(explorerUrl('stellar_public', 'ab')).toBe('https://stellar.expert/explorer/public/tx/ab');
  });

  it('cannot be bent by a hostile value', () => {
    expect(explorerUrl('ethereum_mainnet', '../../x?y#z')).toBe(
      'https://etherscan.io/tx/..%2F..%2Fx%3Fy%23z',
    );
    expect(explorerUrl('aptos_mainnet', '$&')).toBe(
      'https://explorer.aptoslabs.com/txn/%24%26?network=mainnet',
    );
  });
});

describe('the table for the documentation', () => {
  it('has a line per network with rail, asset, decimals, address form and URI', () => {
    const lines = renderNetworksTable().trimEnd().split('\n');
    expect(lines).toHaveLength(2 + NETWORKS.length);
    const columns = lines[0]?.split('|').length;
    for (const line of lines) expect(line.split('|').length).toBe(columns);
    for (const [index, network] of NETWORKS.entries()) expect(lines[index + 2]).toContain(`\`${network}\``);
    expect(lines.find((line) => line.includes('`xrpl_mainnet`'))).toMatch(/`xrpl_xrp` \| XRP \| 6 \|/);
  });
});
