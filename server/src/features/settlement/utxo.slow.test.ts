// Slow: starts Litecoin nodes and makes blocks.

import { HAS_LITECOIND, type Litecoind, startLitecoind } from '@payassent/proof/chains/litecoind';
import { look, plainFetch, sourceOf } from '@payassent/proof/chains/look';
import { checkAddress } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainSource } from './chain.ts';
import { sourceFor } from './source-for.ts';

const MADE_UP = '5'.repeat(64);
const pinnedTo = (to: string, amount: string) => ({ to, asset: 'LTC', amount, decimals: 8 });

describe.skipIf(!HAS_LITECOIND)('payments on a real litecoind (needs the program litecoind)', () => {
  let node: Litecoind;
  let source: ChainSource;
  beforeAll(async () => {
    node = await startLitecoind({ txindex: 1 });
    source = sourceOf('litecoin_mainnet', node);
  });
  afterAll(() => node?.close());

  const pay = (to: string, amount: string) => node.ask<string>('sendtoaddress', to, amount);

  it('are seen in the memory pool, seen in a block, and final in the sixth', async () => {
    const { here, to } = await node.payee();
    expect(checkAddress('litecoin_mainnet', to).ok).toBe(true);
    const txHash = await pay(here, '1.25');
    const pinned = pinnedTo(to, '1.250');
    const waiting = await look([source], txHash, pinned);
    expect(waiting).toMatchObject({ state: 'seen', transaction: { block: null, confirmations: 0 } });
    await node.mine(1);
    const first = await look([source], txHash, pinned, waiting);
    expect(first).toMatchObject({ state: 'seen', transaction: { confirmations: 1 } });
    await node.mine(4);
    expect((await look([source], txHash, pinned, first)).state).toBe('seen');
    await node.mine(1);
    const found = await look([source], txHash.toUpperCase(), pinned, first);
    expect(found).toMatchObject({ state: 'final', sources: { asked: 1, agreed: 1 }, differences: [] });
    const block = await node.ask<{ hash: string; height: number; time: number }>(
      'getblockheader',
      found.transaction?.block_hash,
    );
    expect(found.transaction).toMatchObject({
      tx_hash: txHash,
      block: block.height,
      time: new Date(block.time * 1000).toISOString(),
      confirmations: 6,
      memo: null,
    });
    // The payer's change is shown, and is no difference.
    expect(found.transaction?.payments).toHaveLength(2);
    expect(found.transaction?.payments).toContainEqual({ to, asset: 'LTC', amount: '1.25' });
  });

  it('of too little, too much or to another party are a mismatch, with what differs', async () => {
    const { here, to } = await node.payee();
    const thief = await node.payee();
    const under = await pay(here, '0.99999999');
    const over = await pay(here, '1.00000001');
    const astray = await pay(thief.here, '1');
    await node.mine(6);
    const pinned = pinnedTo(to, '1');
    expect(await look([source], under, pinned)).toMatchObject({
      state: 'mismatch',
      differences: [{ fact: 'amount', pinned: '1', observed: '0.99999999' }],
    });
    expect(await look([source], over, pinned)).toMatchObject({
      state: 'mismatch',
      differences: [{ fact: 'amount', pinned: '1', observed: '1.00000001' }],
    });
    expect(await look([source], astray, pinned)).toMatchObject({
      state: 'mismatch',
      differences: [
        { fact: 'to', pinned: to, observed: thief.to },
        { fact: 'amount', pinned: '1', observed: '0' },
      ],
    });
  });

  it('that the payee makes to itself are no payments', async () => {
    const { here, to } = await node.payee();
    const txid = await pay(here, '3');
    await node.mine(1);
    const coins = await node.ask<{ txid: string; vout: number }[]>('listunspent', 1, 9_999_999, [here]);
    expect(coins).toMatchObject([{ txid }]);
    const raw = await node.ask<string>('createrawtransaction', coins, [{ [here]: '2.999' }]);
    const { hex } = await node.ask<{ hex: string }>('signrawtransactionwithwallet', raw);
    const txHash = await node.ask<string>('sendrawtransaction', hex);
    await node.mine(6);
    expect(await look([source], txHash, pinnedTo(to, '2.999'))).toMatchObject({
      state: 'mismatch',
      differences: [{ fact: 'amount', pinned: '2.999', observed: '0' }],
    });
  });

  it('in two outputs of one transaction count together', async () => {
    const { here, to } = await node.payee();
    const other = await node.payee();
    const scriptOf = async (address: string) =>
      (await node.ask<{ scriptPubKey: string }>('getaddressinfo', address)).scriptPubKey;
    const raw = await node.ask<string>(
      'createrawtransaction',
      [],
      [{ [here]: '0.4' }, { [other.here]: '0.6' }],
    );
    // The node accepts no address twice, so the second output gets the script of the first.
    const twice = raw.replace(await scriptOf(other.here), await scriptOf(here));
    const { hex } = await node.ask<{ hex: string }>('fundrawtransaction', twice);
    const signed = await node.ask<{ hex: string }>('signrawtransactionwithwallet', hex);
    const txHash = await node.ask<string>('sendrawtransaction', signed.hex);
    await node.mine(6);
    expect((await look([source], txHash, pinnedTo(to, '1'))).state).toBe('final');
    expect((await look([source], txHash, pinnedTo(to, '0.6'))).state).toBe('final');
    expect((await look([source], txHash, pinnedTo(to, '0.7'))).differences).toEqual([
      { fact: 'amount', pinned: '0.7', observed: '1' },
    ]);
  });

  it('that no one made are unseen, and unknown where the node refuses or is not there', async () => {
    const { to } = await node.payee();
    const pinned = pinnedTo(to, '1');
    for (const txHash of [MADE_UP, 'paid, honestly', '']) {
      const found = await look([source], txHash, pinned);
      expect(found).toMatchObject({ state: 'unseen', sources: { asked: 1, agreed: 1 }, transaction: null });
    }
    const stranger = sourceFor('litecoin_mainnet', node.url, plainFetch);
    const absent = sourceFor('litecoin_mainnet', 'http://127.0.0.1:1', plainFetch);
    for (const silent of [stranger, absent])
      for (const txHash of [MADE_UP, 'paid, honestly'])
        expect(await look([silent], txHash, pinned)).toMatchObject({
          state: 'unknown',
          sources: { agreed: 0 },
        });
  });

  /** Replaces the block and all after it by as many and one more, in which the coins go to another party. */
  async function reorganize(blockHash: string, conflict: string, blocks: number): Promise<void> {
    const { here } = await node.payee();
    await node.ask('invalidateblock', blockHash);
    await node.ask('generateblock', here, [conflict]);
    await node.mine(blocks);
  }

  /** Two signed transactions that spend the same coin: one to the payee, one to another address of the payer. */
  async function paymentAndConflict(to: string): Promise<{ payment: string; conflict: string }> {
    const [coin] = await node.ask<{ txid: string; vout: number; amount: number }[]>(
      'listunspent',
      1,
      9_999_999,
      [],
      true,
      {
        minimumAmount: 2,
      },
    );
    const { here: elsewhere } = await node.payee();
    const sign = async (address: string): Promise<string> => {
      const outputs = [{ [address]: '1' }, { [elsewhere]: ((coin?.amount ?? 0) - 1.001).toFixed(8) }];
      const raw = await node.ask<string>('createrawtransaction', [coin], outputs);
      return (await node.ask<{ hex: string }>('signrawtransactionwithwallet', raw)).hex;
    };
    return { payment: await sign(to), conflict: await sign((await node.payee()).here) };
  }

  it('that a reorganization drops go from seen back to unseen', async () => {
    const { here, to } = await node.payee();
    const { payment, conflict } = await paymentAndConflict(here);
    const txHash = await node.ask<string>('sendrawtransaction', payment);
    await node.mine(2);
    const pinned = pinnedTo(to, '1');
    const seen = await look([source], txHash, pinned);
    expect(seen).toMatchObject({ state: 'seen', transaction: { confirmations: 2 } });
    await reorganize(seen.transaction?.block_hash ?? '', conflict, 8);
    expect(await look([source], txHash, pinned, seen)).toMatchObject({ state: 'unseen', transaction: null });
  });

  it('that were final and are no longer in the chain are not final any more, once the chain has grown again', async () => {
    const { here, to } = await node.payee();
    const { payment, conflict } = await paymentAndConflict(here);
    const txHash = await node.ask<string>('sendrawtransaction', payment);
    await node.mine(7);
    const pinned = pinnedTo(to, '1');
    const end = await look([source], txHash, pinned);
    expect(end).toMatchObject({ state: 'final', transaction: { confirmations: 7 } });
    const absent = sourceFor('litecoin_mainnet', 'http://127.0.0.1:1', plainFetch);
    expect(await look([absent], txHash, pinned, end)).toEqual(end);
    await reorganize(end.transaction?.block_hash ?? '', conflict, 9);
    // One of three is no majority.
    expect(await look([source, absent, absent], txHash, pinned, end)).toEqual(end);
    expect(await look([source], txHash, pinned, end)).toMatchObject({ state: 'unseen', transaction: null });
  });
});

describe.skipIf(!HAS_LITECOIND)(
  'payments on a real litecoind without an index of transactions (needs the program litecoind)',
  () => {
    let node: Litecoind;
    beforeAll(async () => {
      node = await startLitecoind({ txindex: 0 });
    });
    afterAll(() => node?.close());

    it('are found through its wallet, and unknown where the wallet has none: such a node cannot report unseen', async () => {
      const source = sourceOf('litecoin_mainnet', node);
      const { here, to } = await node.payee();
      const txHash = await node.ask<string>('sendtoaddress', here, '2');
      await node.mine(6);
      expect((await look([source], txHash, pinnedTo(to, '2'))).state).toBe('final');
      expect((await look([source], MADE_UP, pinnedTo(to, '2'))).state).toBe('unknown');
    });
  },
);
