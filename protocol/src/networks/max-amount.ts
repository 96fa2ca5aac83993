import { compareDecimals } from '../amounts.ts';
import type { Network } from '../enumerations.ts';
import { networkRow } from './table.ts';

/** Whole coins that can ever exist, on networks that limit them. */
const SUPPLY: Partial<Record<Network, bigint>> = {
  bitcoin_mainnet: 21_000_000n,
  bitcoin_cash_mainnet: 21_000_000n,
  litecoin_mainnet: 84_000_000n,
  xrpl_mainnet: 100_000_000_000n,
};

/** The largest number of base units that one payment can carry: 64 bits signed on Stellar, 256 bits on EVM networks. */
function maxBaseUnits(network: Network): bigint {
  const { addressKind } = networkRow(network);
  if (addressKind === 'stellar') return 2n ** 63n - 1n;
  return addressKind === 'evm' ? 2n ** 256n - 1n : 2n ** 64n - 1n;
}

/** The largest amount that the network can carry of an asset with so many decimal places, as an exact decimal. */
export function maxAmount(network: Network, decimals: number): string {
  const supply = SUPPLY[network];
  if (supply !== undefined) return supply.toString();
  const digits = maxBaseUnits(network)
    .toString()
    .padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Such an amount is a valid decimal, but no payment can ever carry it. */
export function exceedsNetworkMaximum(network: Network, decimals: number, amount: string): boolean {
  return compareDecimals(amount, maxAmount(network, decimals)) > 0;
}
