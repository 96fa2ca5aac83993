import { addDecimals, checkEvmAddress, fromBaseUnits, type Network, networkRow } from '@payassent/protocol';
import {
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
import type { ChainFetch, ChainSource, ObservedPayment, PinnedPayment, SourceFinding } from './chain.ts';

const HASH = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;
const BYTES = /^0x([0-9a-f]{2})*$/;
/** For nodes that do not report finality. */
const BLOCKS_UNTIL_FINAL = 12;
/** Unknown method, parameters, resource and block: the node has no such tag. Others, such as a limit, prove nothing. */
const NO_SUCH_TAG = new Set([-32601, -32602, -32001, -39001]);

interface Block {
  number: number;
  hash: string;
  time: string;
}

/**
 * JSON-RPC of an EVM node. Payments are the value of the transaction itself and the tokens' log entries. Coins that
 * contracts move among themselves leave no trace in a receipt, so there is no result where only they could be the
 * payment.
 */
export function evmSource(network: Network, url: string, fetch: ChainFetch): ChainSource {
  const call = createRpc(url, fetch);
  const latest = async (signal: AbortSignal): Promise<Block> =>
    blockOf(await readBlock(call, 'latest', signal));
  return {
    async tip(signal) {
      const { number, time } = await latest(signal);
      return { height: number, time };
    },
    async lookUp(hash, pinned, signal) {
      const { number: height } = await latest(signal);
      const sent = HASH.test(hash) ? await call('eth_getTransactionByHash', [hash], signal) : null;
      if (sent === null) return { present: false, height };
      const transaction = partsOf(sent);
      must(transaction.hash === hash, 'another transaction');
      const receipt = await call('eth_getTransactionReceipt', [hash], signal);
      const told = { hash, height, transaction, pinned, asset: networkRow(network).nativeAsset };
      if (receipt !== null) return readMined(call, told, partsOf(receipt), signal);
      must(
        transaction.blockHash === null || transaction.blockHash === undefined,
        'a block without a receipt',
      );
      return pending(told);
    },
  };
}

interface Told {
  hash: string;
  height: number;
  transaction: JsonObject;
  pinned: PinnedPayment;
  /** The symbol of the network's coin. */
  asset: string;
}

function pending(told: Told): SourceFinding {
  const { hash: tx_hash, height } = told;
  const nowhere = { block: null, block_hash: null, time: null, confirmations: 0 };
  const transaction = { tx_hash, ...nowhere, payments: coinsOf(told), memo: null };
  return { present: true, height, final: false, failed: false, transaction, debited: '0' };
}

async function readMined(
  call: RpcCall,
  told: Told,
  receipt: JsonObject,
  signal: AbortSignal,
): Promise<SourceFinding> {
  const { hash, transaction } = told;
  must(receipt.transactionHash === hash, 'another receipt');
  must(receipt.status === '0x1' || receipt.status === '0x0', 'neither successful nor failed');
  const number = quantityOf(receipt.blockNumber);
  const block = blockOf(await readBlock(call, receipt.blockNumber, signal));
  // The receipt may be of a block that has just been replaced.
  must(block.number === number && block.hash === receipt.blockHash, 'a block that is not on the chain');
  must(transaction.blockHash === block.hash, 'a transaction in another block');
  const failed = receipt.status === '0x0';
  const transfers = failed ? [] : await transfersOf(receipt, told.pinned);
  const payments = failed ? [] : [...coinsOf(told), ...transfers.map(({ from: _, ...payment }) => payment)];
  if (!failed) refuseWhatCannotBeSeen(told, payments);
  const height = Math.max(told.height, number);
  const confirmations = height - number + 1;
  const finalized = await readFinalized(call, signal);
  return {
    present: true,
    height,
    final: finalized === undefined ? confirmations >= BLOCKS_UNTIL_FINAL : number <= finalized,
    failed,
    debited: failed ? '0' : debitedBy(told, transfers),
    transaction: {
      tx_hash: hash,
      block: number,
      block_hash: block.hash,
      time: block.time,
      confirmations,
      payments,
      memo: null,
    },
  };
}

function coinsOf({ transaction, asset }: Told): ObservedPayment[] {
  const value = BigInt(textOf(transaction.value, QUANTITY));
  // A contract-creation transaction pays no address.
  if (value === 0n || transaction.to === null || transaction.to === undefined) return [];
  return [{ to: addressOf(transaction.to), asset, amount: fromBaseUnits(value, 18) }];
}

/** Transfers that tokens log: ERC-20; those of ERC-721 carry a fourth topic and no amount. */
async function transfersOf(receipt: JsonObject, pinned: PinnedPayment): Promise<Transferred[]> {
  const logs = listOf(receipt.logs).map(partsOf);
  if (logs.length === 0) return [];
  // Loaded when first needed: most services never observe an EVM network.
  const { ERC20, events } = await import('micro-eth-signer/abi.js');
  const { Transfer } = events(ERC20);
  const [signature] = Transfer.topics({ from: null, to: null, value: null });
  return logs.flatMap((log) => {
    const topics = listOf(log.topics).map((topic) => textOf(topic, HASH));
    const data = textOf(log.data, BYTES);
    must(log.removed !== true, 'a log that was taken back');
    const contract = addressOf(log.address);
    if (topics[0] !== signature || topics.length !== 3 || data.length !== HASH_LENGTH) return [];
    const { from, to, value } = Transfer.decode(topics, data);
    if (value === 0n) return [];
    return [{ from: addressOf(from), to: addressOf(to), contract, ...namedAmount(contract, value, pinned) }];
  });
}

const HASH_LENGTH = 66;

type Transferred = ObservedPayment & { from: string };

/** The payee may be the sender as well: what it pays to itself is no payment. */
function debitedBy(told: Told, transfers: readonly Transferred[]): string {
  const { pinned, transaction } = told;
  const left = pinned.contract
    ? transfers.filter(({ from, contract }) => from === pinned.to && contract === pinned.contract)
    : addressOf(transaction.from) === pinned.to
      ? coinsOf(told)
      : [];
  return left.map(({ amount }) => amount).reduce(addDecimals, '0');
}

function namedAmount(contract: string, value: bigint, pinned: PinnedPayment) {
  const { decimals } = pinned;
  if (contract !== pinned.contract || typeof decimals !== 'number')
    return { asset: contract, amount: value.toString() };
  return { asset: pinned.asset, amount: fromBaseUnits(value, decimals) };
}

/** A contract was called, and nothing in the receipt reached the payee: it may have passed the coins on. */
function refuseWhatCannotBeSeen({ transaction, pinned }: Told, payments: readonly ObservedPayment[]): void {
  const isCall = textOf(transaction.input ?? transaction.data, BYTES) !== '0x';
  const isPaid = payments.some(({ to }) => to === pinned.to);
  must(!isCall || isPaid || Boolean(pinned.contract), 'coins that a contract may have moved');
}

/** Undefined where the node has no such tag. */
async function readFinalized(call: RpcCall, signal: AbortSignal): Promise<number | undefined> {
  try {
    const block = await readBlock(call, 'finalized', signal);
    return block === null ? undefined : blockOf(block).number;
  } catch (error) {
    if (error instanceof RpcError && hasNoSuchTag(error)) return undefined;
    throw error;
  }
}

function hasNoSuchTag({ code, message }: RpcError): boolean {
  return NO_SUCH_TAG.has(code) || (code === -32000 && /finali[sz]ed|not found|unknown block/i.test(message));
}

function readBlock(call: RpcCall, number: unknown, signal: AbortSignal): Promise<unknown> {
  return call('eth_getBlockByNumber', [number, false], signal);
}

function blockOf(block: unknown): Block {
  const { number, hash, timestamp } = partsOf(block);
  return { number: quantityOf(number), hash: textOf(hash, HASH), time: timeOf(quantityOf(timestamp)) };
}

function quantityOf(value: unknown): number {
  return wholeOf(Number(textOf(value, QUANTITY)));
}

function addressOf(value: unknown): string {
  const check = checkEvmAddress(textOf(value, /^0x[0-9a-fA-F]{40}$/).toLowerCase());
  must(check.ok, 'no address');
  return check.address;
}
