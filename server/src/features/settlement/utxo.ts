import { addDecimals, addressesOfScript, type Network, networkRow } from '@payassent/protocol';
import {
  amountOf,
  createRpc,
  type JsonObject,
  listOf,
  must,
  partsOf,
  type RpcCall,
  RpcError,
  textOf,
  timeOf,
  wholeOf,
} from './answer.ts';
import type {
  ChainFetch,
  ChainSource,
  ChainTip,
  ObservedPayment,
  PinnedPayment,
  SourceFinding,
} from './chain.ts';

const HASH = /^[0-9a-f]{64}$/;
const BLOCKS_UNTIL_FINAL = 6;
const NOT_FOUND = -5;
/** Verbosity: with the outputs that the inputs spend, where the node supports it; others treat it as `true`. */
const WITH_PREVIOUS = 2;
/** The most previous transactions read for one: a lookup has a deadline, and a source a rate limit. */
const MAX_PREVIOUS = 100;

/**
 * JSON-RPC of bitcoind and its relatives. Addresses are derived from the scripts, because nodes disagree on how to
 * spell them. A node without `txindex` finds what is in its memory pool or its wallet, and has no information about the
 * rest.
 */
export function utxoSource(network: Network, url: string, fetch: ChainFetch): ChainSource {
  const call = createRpc(url, fetch);
  return {
    tip: (signal) => readTip(call, signal),
    async lookUp(hash, pinned, signal) {
      const { height } = await readTip(call, signal);
      const told = HASH.test(hash) ? await readTransaction(call, hash, signal) : undefined;
      if (told === undefined) return { present: false, height };
      must(told.txid === hash, 'another transaction');
      const payments = listOf(told.vout).flatMap((output) => paymentOf(network, partsOf(output), pinned));
      const found = { tx_hash: hash, payments, memo: null };
      if (told.blockhash === undefined) {
        const nowhere = { block: null, block_hash: null, time: null, confirmations: 0 };
        const transaction = { ...found, ...nowhere };
        return { present: true, height, final: false, failed: false, transaction, debited: '0' };
      }
      const header = await readHeader(call, textOf(told.blockhash, HASH), signal);
      const isPaid = payments.some(({ to }) => to === pinned.to);
      const debited = isPaid ? await readDebits(call, network, told, pinned, signal) : '0';
      return inBlock(header, found, debited, height);
    },
  };
}

type Found = Pick<Extract<SourceFinding, { present: true }>['transaction'], 'tx_hash' | 'payments' | 'memo'>;

function inBlock(header: JsonObject, found: Found, debited: string, height: number): SourceFinding {
  // An index may still lead to a block that was replaced, where the transaction no longer counts.
  if (header.confirmations === -1) return { present: false, height };
  const confirmations = wholeOf(header.confirmations);
  const block = wholeOf(header.height);
  return {
    present: true,
    height: Math.max(height, block),
    final: confirmations >= BLOCKS_UNTIL_FINAL,
    failed: false,
    debited,
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
    return partsOf(await call('getrawtransaction', [hash, WITH_PREVIOUS], signal));
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== NOT_FOUND) throw error;
    // The error of a node without an index of transactions, or with an unfinished one.
    if (!/index/i.test(error.message)) return undefined;
  }
  const { blockhash } = partsOf(await call('gettransaction', [hash, true], signal));
  return partsOf(await call('getrawtransaction', [hash, WITH_PREVIOUS, textOf(blockhash, HASH)], signal));
}

/**
 * What the transaction spends from the payee's own outputs: change that returns to it is no payment. From nodes that do
 * not include the spent outputs, the transactions that created them are requested.
 */
async function readDebits(
  call: RpcCall,
  network: Network,
  told: JsonObject,
  pinned: PinnedPayment,
  signal: AbortSignal,
): Promise<string> {
  // New coins, and coins that leave the hidden part of Litecoin, spend no output.
  const inputs = listOf(told.vin)
    .map(partsOf)
    .filter(({ txid }) => txid !== undefined);
  const unnamed = new Set(
    inputs.filter(({ prevout }) => prevout === undefined).map(({ txid }) => textOf(txid, HASH)),
  );
  must(unnamed.size <= MAX_PREVIOUS, 'more inputs than can be queried');
  const previous = new Map<string, readonly unknown[]>();
  for (const txid of unnamed) {
    const made = await readTransaction(call, txid, signal);
    must(made !== undefined && made.txid === txid, 'another transaction');
    previous.set(txid, listOf(made.vout));
  }
  return inputs
    .map(({ prevout, txid, vout }) => partsOf(prevout ?? previous.get(String(txid))?.[wholeOf(vout)]))
    .flatMap((output) => paymentOf(network, output, pinned))
    .filter(({ to }) => to === pinned.to)
    .map(({ amount }) => amount)
    .reduce(addDecimals, '0');
}

function paymentOf(network: Network, output: JsonObject, pinned: PinnedPayment): ObservedPayment[] {
  const { nativeAsset, decimals } = networkRow(network);
  const amount = amountOf(output.value, decimals);
  const script = textOf(partsOf(output.scriptPubKey).hex, /^([0-9a-f]{2})*$/);
  const forms = addressesOfScript(network, Buffer.from(script, 'hex'));
  const to = forms.find((form) => form === pinned.to) ?? forms[0];
  return to === undefined || amount === '0' ? [] : [{ to, asset: nativeAsset, amount }];
}
