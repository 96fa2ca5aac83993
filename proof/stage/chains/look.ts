/*
 * Chains for settlement: nodes of test networks that are started here, stand-ins for those that cannot be, and the
 * observer's check of them. Imported by the tests of settlement. The tests of a node that is not installed are left
 * out, by name.
 */

import type { Network } from '@payassent/protocol';
import type {
  ChainFetch,
  ChainSource,
  PinnedPayment,
} from '../../../server/src/features/settlement/chain.ts';
import { judge, type SourceAnswer, type Verdict } from '../../../server/src/features/settlement/judge.ts';
import { sourceFor } from '../../../server/src/features/settlement/source-for.ts';

/** Straight to the node, without the bounds that the observer sets. */
export const plainFetch: ChainFetch = async ({ url, ...request }, signal) => {
  const answer = await fetch(url, { ...request, signal });
  return { status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) };
};

const never = new AbortController().signal;

/** The combined findings of the sources about a transaction, as the observer queries them. */
export async function look(
  sources: readonly ChainSource[],
  txHash: string,
  pinned: PinnedPayment,
  before: Verdict | null = null,
): Promise<Verdict> {
  const answers = sources.map(
    (source): Promise<SourceAnswer> => source.lookUp(txHash, pinned, never).catch(() => 'unreachable'),
  );
  return judge(await Promise.all(answers), pinned, before);
}

/** A node with a JSON-RPC interface. */
export interface RpcNode {
  url: string;
  fetch: ChainFetch;
  ask<Result>(method: string, ...params: unknown[]): Promise<Result>;
  close(): Promise<void>;
}

export function asker(url: string, fetch: ChainFetch): RpcNode['ask'] {
  return async <Result>(method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch({ url, method: 'POST', headers, body }, never);
    const { result, error } = JSON.parse(Buffer.from(answer.body).toString('utf8'));
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Result;
  };
}

export const sourceOf = (network: Network, { url, fetch }: Pick<RpcNode, 'url' | 'fetch'>): ChainSource =>
  sourceFor(network, url, fetch);
