import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Networks, TransactionBuilder } from '@stellar/stellar-base';

/** A Horizon server of this machine: it reads every transaction with Stellar's own library and keeps what it took. */
export interface TestHorizon {
  url: string;
  /** While true every call ends without an answer. */
  isDown: boolean;
  /** Hashes in the order in which they came, repetitions included. */
  received: string[];
  /** What was carried out, by hash. */
  applied: Map<string, { destination: string; amount: string; memo: string }>;
  close(): Promise<void>;
}

export async function startHorizon(existing: readonly string[]): Promise<TestHorizon> {
  const accounts = new Set(existing);
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
      const hash = take(horizon, envelope);
      return answer(200, { hash, successful: true });
    }
    const [, collection, id = ''] = pathname.split('/');
    if (collection === 'friendbot') {
      accounts.add(searchParams.get('addr') ?? '');
      return answer(200, {});
    }
    if (collection === 'accounts' && accounts.has(id))
      return answer(200, { sequence: '41', balances: [{ asset_type: 'native', balance: '10000.0000000' }] });
    if (collection === 'transactions' && horizon.applied.has(id)) return answer(200, { successful: true });
    return answer(404, {});
  });
  const horizon: TestHorizon = {
    url: '',
    isDown: false,
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

function take(horizon: TestHorizon, envelope: string): string {
  const transaction = TransactionBuilder.fromXDR(envelope, Networks.TESTNET);
  if ('innerTransaction' in transaction) throw new Error('the wallet makes no fee bumps');
  const hash = transaction.hash().toString('hex');
  const [operation] = transaction.operations;
  if (operation?.type !== 'payment') throw new Error('the wallet made something else than a payment');
  horizon.received.push(hash);
  horizon.applied.set(hash, {
    destination: operation.destination,
    amount: operation.amount,
    memo: String(transaction.memo.value ?? ''),
  });
  return hash;
}
