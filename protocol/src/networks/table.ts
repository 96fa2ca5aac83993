import { checkAddressOfKind } from '../addresses/kinds.ts';
import { isAmount } from '../amounts.ts';
import { NETWORKS, type Network, type Rail } from '../enumerations.ts';
import { EVM_ROWS } from './rows-evm.ts';
import { BITCOIN_LIKE_ROWS, MEMO_ROWS, PLAIN_ROWS } from './rows-ledgers.ts';
import type { NamedAsset, NetworkRow, PaymentUriInput, PaymentUriParts } from './types.ts';

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

/** Native means: the network's own coin, payable over a rail of its own. */
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

interface ParsedPaymentUri extends PaymentUriInput {
  readonly network: Network;
}

/**
 * The facts of a payment link as this package writes it; undefined for every other text. A link is taken at its word
 * only when the facts read from it make the very same link again, so that nothing in it goes unnoticed: no second
 * amount, no parameter that another wallet would heed. A link to a token does not say what it is called or how it is
 * divided; without `token` it goes by its contract, and the amount is in its smallest unit.
 */
export function parsePaymentUri(uri: string, token?: NamedAsset): ParsedPaymentUri | undefined {
  const parts = takeApart(uri);
  if (parts === undefined) return undefined;
  for (const row of NETWORK_TABLE) {
    const { network, nativeAsset: asset, decimals, paymentUri: standard } = row;
    const facts = standard?.read(parts, { asset, decimals }, token);
    if (facts && isSound(row, facts) && paymentUri(network, facts) === uri) return { network, ...facts };
  }
  return undefined;
}

function isSound(
  { addressKind }: NetworkRow,
  { address, contract, issuer, amount }: PaymentUriInput,
): boolean {
  const addresses = [address, contract, issuer].filter((text) => text !== null && text !== undefined);
  const areStored = addresses.every((text) => {
    const check = checkAddressOfKind(addressKind, text);
    return check.ok && check.address === text;
  });
  return areStored && (amount === null || amount === undefined || isAmount(amount));
}

function takeApart(uri: string): PaymentUriParts | undefined {
  const mark = uri.indexOf('?');
  const path = mark < 0 ? uri : uri.slice(0, mark);
  const query = new Map<string, string>();
  try {
    for (const parameter of mark < 0 ? [] : uri.slice(mark + 1).split('&')) {
      const equals = parameter.indexOf('=');
      query.set(parameter.slice(0, equals), decodeURIComponent(parameter.slice(equals + 1)));
    }
  } catch {
    return undefined;
  }
  return { path, query };
}
