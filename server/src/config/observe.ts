import { NETWORK_TABLE, type Network } from '@payassent/protocol';
import { Secret } from '../lib/secret.ts';

/** A node or API that serves transactions of one network. */
export interface ObservedSource {
  /** May carry a key in its path or query. */
  url: Secret;
  /** From `user:password@`, which is removed from the address. */
  authorization: Secret | undefined;
}

/** The observed networks, each with its sources. */
export type Observed = ReadonlyMap<Network, readonly ObservedSource[]>;

const UTXO = new Set<Network>([
  'bitcoin_mainnet',
  'litecoin_mainnet',
  'dogecoin_mainnet',
  'bitcoin_cash_mainnet',
]);

/** Networks whose transactions can be observed: Stellar, EVM and bitcoind-family ones. */
const OBSERVABLE_NETWORKS: readonly Network[] = NETWORK_TABLE.filter(
  ({ network, caip2 }) => /^(?:stellar|eip155):/.test(caip2) || UTXO.has(network),
).map(({ network }) => network);

/** More would only cost: a majority of nine is five. */
const MAX_SOURCES = 9;

/** `<network>=<url>[|<url>…][,…]`. No error repeats an address, which may contain secrets. */
export function parseObserve(text: string): { observed: Observed; faults: string[] } {
  const observed = new Map<Network, readonly ObservedSource[]>();
  const faults: string[] = [];
  for (const [index, entry] of text.split(',').entries()) {
    if (entry.trim() === '') continue;
    const [, name = '', addresses = ''] = /^\s*([a-z0-9_]+)\s*=(.*)$/s.exec(entry) ?? [];
    const network = OBSERVABLE_NETWORKS.find((known) => known === name);
    if (!network)
      faults.push(
        `has an entry (number ${index + 1}) for no network that can be observed: write <network>=<url>[|<url>…], with one of ${OBSERVABLE_NETWORKS.join(', ')}; a comma in an address is %2C.`,
      );
    else if (observed.has(network))
      faults.push(`names ${network} twice: write its addresses in one entry, with | between them.`);
    else observed.set(network, sourcesOf(network, addresses, faults));
  }
  return { observed, faults };
}

function sourcesOf(network: Network, addresses: string, faults: string[]): ObservedSource[] {
  const given = addresses.split('|').map((address) => address.trim());
  if (given.length > MAX_SOURCES) faults.push(`has more than ${MAX_SOURCES} addresses for ${network}.`);
  // One node listed under two addresses would be a majority on its word alone.
  if (new Set(given).size < given.length) faults.push(`has the same address twice for ${network}.`);
  return given.flatMap((address, index) => {
    const source = sourceOf(address);
    if (!source)
      faults.push(
        `has no usable address for ${network} (number ${index + 1}): set one that begins with https:// or http://, without a fragment.`,
      );
    return source ? [source] : [];
  });
}

function sourceOf(address: string): ObservedSource | undefined {
  if (/\s/.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!['https:', 'http:'].includes(url.protocol) || url.hash !== '') return undefined;
  const user = [url.username, url.password].map(decodeURIComponent).join(':');
  url.username = '';
  url.password = '';
  return {
    url: new Secret(url.href.replace(/\/+$/, '')),
    authorization:
      user === ':' ? undefined : new Secret(`Basic ${Buffer.from(user, 'utf8').toString('base64')}`),
  };
}
