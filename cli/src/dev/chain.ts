import { createHash } from 'node:crypto';
import { LocalError } from '../command.ts';
import { jsonAnswer, type LoopbackAnswer, type LoopbackRequest, plainAnswer } from './loopback-server.ts';

/** What a simulated wallet sends. Only its own chain, in a dev world, ever has it. */
export interface Transfer {
  network: string;
  to: string;
  asset: string;
  issuer?: string | null;
  amount: string;
  memo?: string | null;
  memo_type?: string | null;
}

/** The chain of a dev world: what its simulated wallets sent, each in the ledger of that moment. */
export interface SimulatedChain {
  put(hash: string, transfer: Transfer): Promise<void>;
  /** The part of Horizon that the service reads. */
  pages(request: LoopbackRequest): Promise<LoopbackAnswer>;
}

export const SIMULATED_NETWORK = 'stellar_testnet';
const LEDGER_MS = 5000;

export interface Sent {
  transfer: Transfer;
  ledger: number;
}

export function simulateChain(sent: Map<string, Sent>, now: () => Promise<Date>): SimulatedChain {
  const newest = async (): Promise<number> => Math.floor((await now()).getTime() / LEDGER_MS);
  return {
    async put(hash, transfer) {
      if (transfer.network === SIMULATED_NETWORK && !sent.has(hash))
        sent.set(hash, { transfer, ledger: await newest() });
    },
    async pages({ path }) {
      if (path === '/ledgers') return page([ledgerOf(await newest())]);
      const sequence = /^\/ledgers\/(\d{1,12})$/.exec(path)?.[1];
      if (sequence !== undefined) return jsonAnswer(ledgerOf(Number(sequence)));
      const [, hash = '', effects] = /^\/transactions\/([0-9a-f]{64})(\/effects)?$/.exec(path) ?? [];
      const found = sent.get(hash);
      if (!found) return { ...jsonAnswer({ status: 404, title: 'Resource Missing' }), status: 404 };
      const { transfer, ledger } = found;
      if (effects !== undefined) return page([creditOf(transfer)]);
      return jsonAnswer({ hash, ledger, successful: true, ...memoOf(transfer) });
    },
  };
}

const page = (records: readonly object[]): LoopbackAnswer => jsonAnswer({ _embedded: { records } });

function ledgerOf(sequence: number) {
  return {
    sequence,
    closed_at: new Date(sequence * LEDGER_MS).toISOString(),
    hash: createHash('sha256').update(`simulated ledger ${sequence}`).digest('hex'),
  };
}

function creditOf({ to, asset, issuer, amount }: Transfer) {
  const kind = issuer
    ? { asset_type: 'credit_alphanum12', asset_code: asset, asset_issuer: issuer }
    : { asset_type: 'native' };
  return { type: 'account_credited', account: to, amount, ...kind, paging_token: '1-1' };
}

function memoOf({ memo, memo_type: type }: Transfer) {
  if (memo == null) return { memo_type: 'none' };
  if (type === 'hash') return { memo_type: 'hash', memo: Buffer.from(memo, 'hex').toString('base64') };
  return { memo_type: 'text', memo };
}

/** `PUT /chain/<hash>` of the viewer. */
export async function takeTransfer(
  chain: SimulatedChain,
  { method, body }: LoopbackRequest,
  hash: string,
): Promise<LoopbackAnswer> {
  if (method !== 'PUT' || !/^[0-9a-f]{64}$/.test(hash))
    return plainAnswer(400, 'PUT a transfer at its hash.');
  await chain.put(hash, JSON.parse(body.toString('utf8')));
  return { status: 204 };
}

/** Sends on the chain of the world, where there is one. */
export async function sendOnChain(
  world: { viewer: string } | undefined,
  hash: string,
  transfer: Transfer,
): Promise<void> {
  if (!world) return;
  const answer = await fetch(`${world.viewer}/chain/${hash}`, {
    method: 'PUT',
    body: JSON.stringify(transfer),
  });
  if (!answer.ok) throw new LocalError('not_sent', await answer.text());
}
