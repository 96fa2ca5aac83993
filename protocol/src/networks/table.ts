import { NETWORKS, type Network, type Rail } from '../enumerations.ts';
import { EVM_ROWS } from './rows-evm.ts';
import { BITCOIN_LIKE_ROWS, MEMO_ROWS, PLAIN_ROWS } from './rows-ledgers.ts';
import type { NetworkRow, PaymentUriInput } from './types.ts';

const ROWS_BY_NETWORK: ReadonlyMap<Network, NetworkRow> = new Map(
  [...EVM_ROWS, ...BITCOIN_LIKE_ROWS, ...MEMO_ROWS, ...PLAIN_ROWS].map((row) => [row.network, row]),
);

/** The one table of networks, a row for each, in the order of the specification. */
export const NETWORK_TABLE: readonly NetworkRow[] = NETWORKS.map(networkRow);

export function networkRow(network: Network): NetworkRow {
  const row = ROWS_BY_NETWORK.get(network);
  if (row === undefined) throw new Error(`The table of networks has no row for ${network}.`);
  return row;
}

/** Native: the network's coin, payable over a dedicated rail. */
export function isNativeAsset(network: Network, asset: string): boolean {
  const row = networkRow(network);
  return row.nativeRail !== undefined && row.nativeAsset === asset;
}

export function networksOfRail(rail: Rail): readonly Network[] {
  return NETWORK_TABLE.filter((row) => row.rails.includes(rail)).map((row) => row.network);
}

export function explorerUrl(network: Network, txHash: string): string {
  return networkRow(network).explorer.replace('*', encodeURIComponent(txHash));
}

/** A link or QR text for wallets; undefined where no standard exists or none can carry every fact. */
export function paymentUri(network: Network, input: PaymentUriInput): string | undefined {
  return networkRow(network).paymentUri?.build(input);
}
