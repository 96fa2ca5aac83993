import { addressesOfScript, type Network, networkRow } from '@payassent/protocol';
import { amountOf, type JsonObject, listOf, must, partsOf, textOf, timeOf, wholeOf } from './answer.ts';
import type {
  ChainFetch,
  ChainSource,
  ChainTip,
  ObservedPayment,
  PinnedPayment,
  SourceFinding,
} from './chain.ts';
import { createRpc, type RpcCall, RpcError } from './json-rpc.ts';

const HASH = /^[0-9a-f]{64}$/;
const BLOCKS_UNTIL_FINAL = 6;
const NOT_FOUND = -5;

/**
 * JSON-RPC of bitcoind and its relatives. Addresses are made from the scripts, because nodes disagree on how to spell
 * them. A node without `txindex` finds what is in its memory pool or its wallet, and about the rest says nothing.
 */
export function utxoSource(network: Network, url: string, fetch: ChainFetch): ChainSource {
  const call = createRpc(url, fetch);
  return {
    tip: (signal) => readTip(call, signal),
    async lookUp(txHash, pinned, signal) {
      const hash = txHash.toLowerCase();
      const { height } = await readTip(call, signal);
      const told = HASH.test(hash) ? await readTransaction(call, hash, signal) : undefined;
      if (told === undefined) return { present: false, height };
      must(told.txid === hash, 'another transaction');
      const payments = listOf(told.vout).flatMap((output) => paymentOf(network, partsOf(output), pinned));
      const found = { tx_hash: hash, payments, memo: null };
      if (told.blockhash === undefined) {
        const nowhere = { block: null, block_hash: null, time: null, confirmations: 0 };
        return { present: true, height, final: false, failed: false, transaction: { ...found, ...nowhere } };
      }
      return inBlock(await readHeader(call, textOf(told.blockhash, HASH), signal), found, height);
    },
  };
}

type Found = Pick<Extract<SourceFinding, { present: true }>['transaction'], 'tx_hash' | 'payments' | 'memo'>;

function inBlock(header: JsonObject, found: Found, height: number): SourceFinding {
  // An index may still lead to a block that was replaced, where the transaction no longer counts.
  if (header.confirmations === -1) return { present: false, height };
  const confirmations = wholeOf(header.confirmations);
  const block = wholeOf(header.height);
  return {
    present: true,
    height: Math.max(height, block),
    final: confirmations >= BLOCKS_UNTIL_FINAL,
    failed: false,
    transaction: {
      ...found,
      block,
      block_hash: textOf(header.hash, HASH),
      time: timeOf(wholeOf(header.time)),
      confirmations,
    },
  };
}

async function readTip(call: RpcCall, signal: AbortSignal): Promise<ChainTip> {
  const hash = textOf(await call('getbestblockhash', [], signal), HASH);
  const header = await readHeader(call, hash, signal);
  return { height: wholeOf(header.height), time: timeOf(wholeOf(header.time)) };
}

async function readHeader(call: RpcCall, hash: string, signal: AbortSignal): Promise<JsonObject> {
  const header = partsOf(await call('getblockheader', [hash, true], signal));
  must(header.hash === hash, 'another block');
  return header;
}

async function readTransaction(
  call: RpcCall,
  hash: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  try {
    return partsOf(await call('getrawtransaction', [hash, true], signal));
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== NOT_FOUND) throw error;
    // What it says where it has no index of transactions, or has not finished one.
    if (!/index/i.test(error.message)) return undefined;
  }
  const { blockhash } = partsOf(await call('gettransaction', [hash, true], signal));
  return partsOf(await call('getrawtransaction', [hash, true, textOf(blockhash, HASH)], signal));
}

function paymentOf(network: Network, output: JsonObject, pinned: PinnedPayment): ObservedPayment[] {
  const { nativeAsset, decimals } = networkRow(network);
  const amount = amountOf(output.value, decimals);
  const script = textOf(partsOf(output.scriptPubKey).hex, /^([0-9a-f]{2})*$/);
  const forms = addressesOfScript(network, Buffer.from(script, 'hex'));
  const to = forms.find((form) => form === pinned.to) ?? forms[0];
  return to === undefined || amount === '0' ? [] : [{ to, asset: nativeAsset, amount }];
}
