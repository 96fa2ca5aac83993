import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressesOfScript } from '@payassent/protocol';
import { findLitecoind } from '../../../scripts/chain-nodes.mjs';
import type { ChainFetch } from '../../../server/src/features/settlement/chain.ts';
import { asker, plainFetch, type RpcNode } from './look.ts';
import { startNode } from './node-process.ts';

const PROGRAM = findLitecoind();

/** Tests that need it are left out, and listed as such, where it is not installed. */
export const HAS_LITECOIND = PROGRAM !== undefined;

export interface Litecoind extends RpcNode {
  mine(blocks: number): Promise<void>;
  /** A payee: how the node spells its address, and how the main network does. */
  payee(): Promise<{ here: string; to: string }>;
}

/** A real node of a private network (`-regtest`), with a wallet that has coins to spend. */
export async function startLitecoind({ txindex }: { txindex: 0 | 1 }): Promise<Litecoind> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-litecoind-'));
  const password = randomUUID();
  const authorization = `Basic ${Buffer.from(`observer:${password}`).toString('base64')}`;
  const fetch: ChainFetch = ({ headers, ...request }, signal) =>
    plainFetch({ ...request, headers: { ...headers, authorization } }, signal);
  const { url, stop } = await startNode(
    PROGRAM ?? 'litecoind',
    (port) => [
      '-regtest',
      '-server',
      '-listen=0',
      '-dnsseed=0',
      '-fallbackfee=0.001',
      `-datadir=${folder}`,
      `-txindex=${txindex}`,
      `-rpcport=${port}`,
      '-rpcuser=observer',
      `-rpcpassword=${password}`,
    ],
    (at) => asker(at, fetch)('getblockchaininfo'),
  );
  const ask = asker(url, fetch);
  await ask('createwallet', 'payer');
  const coinbase = await ask<string>('getnewaddress', '', 'bech32');
  const mine = async (blocks: number) => void (await ask('generatetoaddress', blocks, coinbase));
  // Coins of a block can be spent a hundred blocks later.
  await mine(110);
  return {
    url,
    fetch,
    ask,
    mine,
    async payee() {
      const here = await ask<string>('getnewaddress', '', 'bech32');
      const { scriptPubKey } = await ask<{ scriptPubKey: string }>('getaddressinfo', here);
      const [to = ''] = addressesOfScript('litecoin_mainnet', Buffer.from(scriptPubKey, 'hex'));
      return { here, to };
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
