import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Networks, TransactionBuilder } from '@stellar/stellar-base';

/**
 * A Horizon server of this machine: it reads every transaction with Stellar's own library, takes the numbers of an account
 * one by one as the network does, and keeps what it took.
 */
export interface TestHorizon {
  url: string;
  /** While true every call ends without a response. */
  isDown: boolean;
  /** While set, every transaction fails with this code, and every call of the faucet with 503. */
  refusal: string | undefined;
  /** Hashes in the order of arrival, including repeats. */
  received: string[];
  /** Applied payments, by hash. */
  applied: Map<string, { destination: string; amount: string; memo: string }>;
  close(): Promise<void>;
}

const FIRST_NUMBER = 41n;
const BALANCE = { asset_type: 'native', balance: '10000.0000000' };

export async function startHorizon(existing: readonly string[]): Promise<TestHorizon> {
  /** The last used number of each account. */
  const accounts = new Map(existing.map((address) => [address, FIRST_NUMBER]));
  const server = createServer(async (request, response) => {
    if (horizon.isDown) return void request.socket.destroy();
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
      response.end(JSON.stringify(body));
    };
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://horizon.test');
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const envelope = new URLSearchParams(Buffer.concat(chunks).toString()).get('tx') ?? '';
      const code = take(horizon, accounts, envelope);
      if (code !== undefined) return answer(400, { extras: { result_codes: { transaction: code } } });
      return answer(200, { successful: true });
    }
    const [, collection, id = ''] = pathname.split('/');
    if (collection === 'friendbot') {
      if (horizon.refusal !== undefined) return answer(503, {});
      accounts.set(searchParams.get('addr') ?? '', FIRST_NUMBER);
      return answer(200, {});
    }
    const sequence = accounts.get(id);
    if (collection === 'accounts' && sequence !== undefined)
      return answer(200, { sequence: String(sequence), balances: [BALANCE] });
    if (collection === 'transactions' && horizon.applied.has(id)) return answer(200, { successful: true });
    return answer(404, {});
  });
  const horizon: TestHorizon = {
    url: '',
    isDown: false,
    refusal: undefined,
    received: [],
    applied: new Map(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  horizon.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return horizon;
}

/** Why it is rejected, or nothing when it was applied. */
function take(horizon: TestHorizon, accounts: Map<string, bigint>, envelope: string): string | undefined {
  const transaction = TransactionBuilder.fromXDR(envelope, Networks.TESTNET);
  if ('innerTransaction' in transaction) throw new Error('the wallet makes no fee bumps');
  const [operation] = transaction.operations;
  if (operation?.type !== 'payment') throw new Error('the wallet made something else than a payment');
  const hash = transaction.hash().toString('hex');
  horizon.received.push(hash);
  if (horizon.refusal !== undefined) return horizon.refusal;
  if (Number(transaction.timeBounds?.maxTime) < Date.now() / 1_000) return 'tx_too_late';
  const sequence = BigInt(transaction.sequence);
  if (sequence !== (accounts.get(transaction.source) ?? 0n) + 1n) return 'tx_bad_seq';
  accounts.set(transaction.source, sequence);
  horizon.applied.set(hash, {
    destination: operation.destination,
    amount: operation.amount,
    memo: String(transaction.memo.value ?? ''),
  });
  return undefined;
}
