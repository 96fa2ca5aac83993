import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toBaseUnits } from '@payassent/protocol';
import type { Random } from './random.ts';

/** What the payee of each tenant that is observed gets. */
export const OBSERVED = { network: 'ethereum_mainnet', asset: 'ETH' } as const;
const DECIMALS = 18;

export interface Sent {
  to: string;
  amount: string;
  isFailed?: boolean;
}

/** A transaction that is in the chain. */
export interface ChainRow extends Sent {
  tx_hash: string;
  block_hash: string;
  /** Of its block. */
  timeS: number;
}

interface Block {
  number: number;
  hash: string;
  timeS: number;
  transactions: ReadonlyMap<string, Sent>;
}

export type SourceManners = 'honest' | 'lags' | 'lies' | 'denies' | 'hangs' | 'garbage';

/**
 * A chain that grows, reorganizes above what is final, and is served by three sources with the interface of EVM nodes.
 */
export interface Chain {
  /** For SVC_OBSERVE. */
  readonly observe: string;
  /**
   * The hash for what a wallet claims to have sent, and what it has sent really: null for nothing. A reorganization
   * may lose that.
   */
  pay(claimed: Sent, really: Sent | null): string;
  /** Of each source. Only the first may lie: the observer believes what two of three agree on. */
  setManners(manners: readonly SourceManners[]): void;
  reorganize(): void;
  rows(): ChainRow[];
  close(): Promise<void>;
}

export const SOURCES = 3;
const BLOCK_MS = 250;
/** Less than the twelve blocks after which a transaction is final. */
const DEEPEST_REORGANIZATION = 9;
const LIE_DEPTH = 20;

export async function startChain(random: Random): Promise<Chain> {
  const ledger = createLedger(random);
  const sources = Array.from({ length: SOURCES }, () => createSource(ledger));
  const server = createServer(async (incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('error', () => undefined);
    for await (const chunk of incoming) body += chunk;
    sources[Number(incoming.url?.slice(1))]?.reply(JSON.parse(body), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(ledger.mine, BLOCK_MS);
  const { port } = server.address() as AddressInfo;
  const urls = sources.map((_source, index) => `http://127.0.0.1:${port}/${index}`);
  return {
    observe: `${OBSERVED.network}=${urls.join('|')}`,
    pay(claimed, really) {
      const hash = newHash();
      ledger.claims.set(hash, claimed);
      if (really) ledger.waiting.set(hash, really);
      return hash;
    },
    setManners(manners) {
      for (const [index, each] of manners.entries()) sources[index]?.behave(each);
    },
    reorganize: ledger.reorganize,
    rows: () =>
      ledger.blocks.flatMap(({ hash, timeS, transactions }) =>
        [...transactions].map(([tx_hash, sent]) => ({ ...sent, tx_hash, block_hash: hash, timeS })),
      ),
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const PAYER = `0x${'1'.repeat(40)}`;
const newHash = () => `0x${randomBytes(32).toString('hex')}`;

interface Ledger {
  readonly blocks: Block[];
  readonly waiting: Map<string, Sent>;
  /** What wallets reported, true or not. */
  readonly claims: Map<string, Sent>;
  mine(): void;
  reorganize(): void;
}

function createLedger(random: Random): Ledger {
  const blocks: Block[] = [];
  const waiting = new Map<string, Sent>();
  const mine = () => {
    const transactions = new Map([...waiting].filter(() => random.chance(0.8)));
    for (const hash of transactions.keys()) waiting.delete(hash);
    blocks.push({
      number: blocks.length,
      hash: newHash(),
      timeS: Math.floor(Date.now() / 1000),
      transactions,
    });
  };
  for (let block = 0; block < 2 * LIE_DEPTH; block += 1) mine();
  return {
    blocks,
    waiting,
    claims: new Map(),
    mine,
    /** Some of what was in the blocks comes again, the rest was spent otherwise. */
    reorganize() {
      const gone = blocks.splice(-random.between(1, DEEPEST_REORGANIZATION));
      for (const { transactions } of gone)
        for (const [hash, sent] of transactions) if (random.chance(0.6)) waiting.set(hash, sent);
      for (let block = 0; block <= gone.length; block += 1) mine();
    },
  };
}

interface RpcQuestion {
  id: number;
  method: string;
  params: readonly unknown[];
}

function createSource(ledger: Ledger) {
  let manners: SourceManners = 'honest';
  /** One that lags stays with what it knew, also when that is replaced. */
  let known: readonly Block[] = ledger.blocks;
  const lies = new Map<string, Block | undefined>();

  const find = (hash: string): { sent: Sent; block: Block | undefined } | undefined => {
    if (manners === 'denies') return undefined;
    const claimed = ledger.claims.get(hash);
    if (manners === 'lies' && claimed) {
      // The same each time, in a block that the others have as well.
      if (!lies.has(hash)) lies.set(hash, ledger.blocks.at(-LIE_DEPTH));
      return { sent: claimed, block: lies.get(hash) };
    }
    const block = known.findLast(({ transactions }) => transactions.has(hash));
    const sent = block?.transactions.get(hash) ?? ledger.waiting.get(hash);
    return sent && { sent, block };
  };
  const answer = ({ method, params: [first] }: RpcQuestion): object => {
    if (first === 'finalized') return { error: { code: -32602, message: 'no such tag' } };
    if (method === 'eth_getBlockByNumber')
      return { result: blockJson(first === 'latest' ? known.at(-1) : known[Number(first)]) };
    const hash = String(first);
    const found = find(hash);
    if (!found) return { result: null };
    const place = {
      blockHash: found.block?.hash ?? null,
      blockNumber: found.block && hex(found.block.number),
    };
    const { to, amount, isFailed } = found.sent;
    if (method === 'eth_getTransactionByHash') {
      const value = hex(toBaseUnits(amount, DECIMALS) ?? 0n);
      return { result: { hash, from: PAYER, to: to.toLowerCase(), value, input: '0x', ...place } };
    }
    const receipt = { transactionHash: hash, status: isFailed ? '0x0' : '0x1', logs: [], ...place };
    return { result: found.block ? receipt : null };
  };
  return {
    behave(next: SourceManners) {
      manners = next;
      known = next === 'lags' ? [...ledger.blocks] : ledger.blocks;
    },
    reply(question: RpcQuestion, response: ServerResponse) {
      if (manners === 'hangs') return;
      const told = { jsonrpc: '2.0', id: question.id, ...answer(question) };
      response.end(manners === 'garbage' ? '{"jsonrpc":"2.0","result":{"number":' : JSON.stringify(told));
    },
  };
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`;

function blockJson(block: Block | undefined): object | null {
  if (!block) return null;
  return { number: hex(block.number), hash: block.hash, timestamp: hex(block.timeS) };
}
