import { canonicalTxHash, type Network, networkRow } from '@payassent/protocol';
import type { ChainFetch, ChainSource } from './chain.ts';
import { evmSource } from './evm.ts';
import { horizonSource } from './stellar.ts';
import { utxoSource } from './utxo.ts';

export type { ChainFetch } from './chain.ts';

/** The source of an address, in the network's protocol. Accepts every spelling of a hash. */
export function sourceFor(network: Network, url: string, fetch: ChainFetch): ChainSource {
  const source = speaking(network, url, fetch);
  return {
    ...source,
    lookUp: (txHash, pinned, signal) => source.lookUp(canonicalTxHash(network, txHash), pinned, signal),
  };
}

function speaking(network: Network, url: string, fetch: ChainFetch): ChainSource {
  switch (networkRow(network).addressKind) {
    case 'stellar':
      return horizonSource(url, fetch);
    case 'evm':
      return evmSource(network, url, fetch);
    default:
      return utxoSource(network, url, fetch);
  }
}
