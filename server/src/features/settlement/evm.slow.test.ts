// Slow: starts EVM nodes and makes blocks.
import { type Anvil, callOf, HAS_ANVIL, startAnvil } from '@payassent/proof/chains/anvil';
import { look, sourceOf } from '@payassent/proof/chains/look';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainFetch, ChainSource, PinnedPayment } from './chain.ts';
import { sourceFor } from './source-for.ts';

const NETWORK = 'ethereum_mainnet';
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const MADE_UP = `0x${'5'.repeat(64)}`;
/** More than the two blocks after which this node marks a block as finalized. */
const ENOUGH = 4;

/** The given source, with some results replaced: `twist` maps what the node returned to what the caller gets. */
function twisted(
  fetch: ChainFetch,
  twist: (method: string, said: string, params: unknown[]) => string,
): ChainFetch {
  return async (request, signal) => {
    const { method, params } = JSON.parse(request.body ?? '{}');
    const answer = await fetch(request, signal);
    const said = Buffer.from(answer.body).toString('utf8');
    return { ...answer, body: Buffer.from(twist(method, said, params), 'utf8') };
  };
}
const withResult = (said: string, result: unknown) => JSON.stringify({ ...JSON.parse(said), result });
const withError = (said: string, code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(said).id, error: { code, message } });

describe.skipIf(!HAS_ANVIL)('payments on a real EVM node (needs the program anvil)', () => {
  let node: Anvil;
  let source: ChainSource;
  let token: string;
  let counterfeit: string;
  let payer: string;
  let shop: string;
  let thief: string;
  beforeAll(async () => {
    node = await startAnvil();
    source = sourceOf(NETWORK, node);
    token = await node.deploy('Token', 1_000_000n * DOLLAR);
    counterfeit = await node.deploy('Token', 1_000_000n * DOLLAR);
    payer = await node.deploy('Payer');
    [, shop = '', thief = ''] = node.accounts;
  });
  afterAll(() => node?.close());

  const ether = (amount: string): PinnedPayment => ({ to: shop, asset: 'ETH', amount, decimals: 18 });
  const dollars = (amount: string): PinnedPayment => ({
    to: shop,
    asset: 'USDC',
    amount,
    contract: token,
    decimals: 6,
  });
  const sendTokens = (contract: string, to: string, value: bigint) =>
    node.send({ to: contract, data: callOf('transfer', { to, value }) });
  const without = (tag: 'finalized', say: (said: string) => string) =>
    sourceFor(
      NETWORK,
      node.url,
      twisted(node.fetch, (_method, said, params) => (params[0] === tag ? say(said) : said)),
    );

  it('of coins are seen while they wait, seen in a block, and final when the node calls the block finalized', async () => {
    const pinned = ether('1.5');
    const txHash = await node.send({ to: shop, value: (15n * ETHER) / 10n });
    expect(await look([source], txHash, pinned)).toMatchObject({
      state: 'seen',
      transaction: { block: null, confirmations: 0, payments: [{ to: shop, asset: 'ETH', amount: '1.5' }] },
    });
    await node.mine(1);
    const seen = await look([source], txHash, pinned);
    expect(seen).toMatchObject({ state: 'seen', transaction: { confirmations: 1 } });
    await node.mine(ENOUGH);
    const found = await look([source], txHash.toUpperCase().replace('0X', ''), pinned, seen);
    const block = await node.ask<{ hash: string; timestamp: string }>(
      'eth_getBlockByHash',
      found.transaction?.block_hash,
      false,
    );
    expect(found).toEqual({
      state: 'final',
      sources: { asked: 1, agreed: 1 },
      transaction: {
        ...seen.transaction,
        tx_hash: txHash,
        time: new Date(Number(block.timestamp) * 1000).toISOString(),
        confirmations: 1 + ENOUGH,
        payments: [{ to: shop, asset: 'ETH', amount: '1.5' }],
      },
      differences: [],
      taken: [{ payment: 0, amount: '1.5' }],
    });
  });

  it('that the payee makes to itself, of coins or tokens, are no payments', async () => {
    await sendTokens(token, shop, 5n * DOLLAR);
    await node.mine(1);
    const self = (sent: object) =>
      node.ask<string>('eth_sendTransaction', { from: shop, gas: '0x2dc6c0', ...sent });
    const coins = await self({ to: shop, value: '0xde0b6b3a7640000' });
    const tokens = await self({ to: token, data: callOf('transfer', { to: shop, value: 5n * DOLLAR }) });
    await node.mine(1 + ENOUGH);
    for (const [txHash, pinned] of [
      [coins, ether('1')],
      [tokens, dollars('5')],
    ] as const)
      expect(await look([source], txHash, pinned)).toMatchObject({
        state: 'mismatch',
        differences: [{ fact: 'amount', observed: '0' }],
      });
  });

  it('are final in the twelfth block where the node has no finalized tag, and never because it was too busy to respond', async () => {
    const txHash = await node.send({ to: shop, value: ETHER });
    await node.mine(11);
    const unsupported = [
      without('finalized', (said) => withError(said, -32602, 'invalid block tag')),
      without('finalized', (said) => withError(said, -32000, 'finalized block not found')),
      without('finalized', (said) => withResult(said, null)),
    ];
    const busy = without('finalized', (said) => withError(said, -32005, 'limit exceeded'));
    for (const plain of unsupported) expect((await look([plain], txHash, ether('1'))).state).toBe('seen');
    await node.mine(1);
    for (const plain of unsupported) expect((await look([plain], txHash, ether('1'))).state).toBe('final');
    expect((await look([busy], txHash, ether('1'))).state).toBe('unknown');
  });

  it('of tokens are final, also two in one transaction and made by a contract', async () => {
    const plain = await sendTokens(token, shop, 12_500_000n);
    await node.mine(1);
    await sendTokens(token, payer, 100n * DOLLAR);
    await node.mine(1);
    const inside = await node.send({
      to: payer,
      data: callOf('payToken', { token, to: shop, first: 7n * DOLLAR, second: 5_500_000n }),
    });
    await node.mine(ENOUGH);
    expect(await look([source], plain, dollars('12.50'))).toMatchObject({
      state: 'final',
      transaction: { payments: [{ to: shop, asset: 'USDC', amount: '12.5', contract: token }] },
    });
    expect(await look([source], inside, dollars('12.50'))).toMatchObject({
      state: 'final',
      transaction: {
        payments: [
          { to: shop, asset: 'USDC', amount: '7', contract: token },
          { to: shop, asset: 'USDC', amount: '5.5', contract: token },
        ],
      },
    });
    expect((await look([source], inside, dollars('7'))).state).toBe('final');
    expect((await look([source], inside, dollars('8'))).differences).toEqual([
      { fact: 'amount', pinned: '8', observed: '12.5' },
    ]);
  });

  it('of another amount, address, asset or contract are a mismatch, with what differs', async () => {
    const hashes = {
      under: await node.send({ to: shop, value: ETHER - 1n }),
      over: await node.send({ to: shop, value: ETHER + 1n }),
      astray: await node.send({ to: thief, value: ETHER }),
      tokens: await sendTokens(token, shop, DOLLAR),
      false: await sendTokens(counterfeit, shop, DOLLAR),
      tokensAstray: await sendTokens(token, thief, DOLLAR),
    };
    await node.mine(ENOUGH);
    const nothing = { fact: 'amount', pinned: '1', observed: '0' };
    const expected: [keyof typeof hashes, PinnedPayment, object[]][] = [
      ['under', ether('1'), [{ fact: 'amount', pinned: '1', observed: '0.999999999999999999' }]],
      ['over', ether('1'), [{ fact: 'amount', pinned: '1', observed: '1.000000000000000001' }]],
      ['astray', ether('1'), [{ fact: 'to', pinned: shop, observed: thief }, nothing]],
      ['false', dollars('1'), [{ fact: 'contract', pinned: token, observed: counterfeit }, nothing]],
      ['tokensAstray', dollars('1'), [{ fact: 'to', pinned: shop, observed: thief }, nothing]],
      [
        'over',
        dollars('1'),
        [
          { fact: 'asset', pinned: 'USDC', observed: 'ETH' },
          { fact: 'contract', pinned: token, observed: null },
          nothing,
        ],
      ],
      [
        'tokens',
        ether('1'),
        [
          { fact: 'asset', pinned: 'ETH', observed: token },
          { fact: 'contract', pinned: null, observed: token },
          nothing,
        ],
      ],
    ];
    for (const [name, pinned, differences] of expected)
      expect(await look([source], hashes[name], pinned), name).toMatchObject({
        state: 'mismatch',
        differences,
      });
  });

  it('that failed are failed on chain and moved nothing', async () => {
    const txHash = await node.send({ to: payer, value: ETHER, data: callOf('refuse', undefined) });
    await node.mine(ENOUGH);
    expect(await look([source], txHash, ether('1'))).toMatchObject({
      state: 'failed_on_chain',
      transaction: { payments: [] },
      differences: [],
    });
  });

  it('of coins that a contract passed on are unknown: no receipt shows them', async () => {
    const txHash = await node.send({ to: payer, value: ETHER, data: callOf('payCoins', shop) });
    await node.mine(ENOUGH);
    expect((await look([source], txHash, ether('1'))).state).toBe('unknown');
  });

  it('that no one made are unseen', async () => {
    for (const txHash of [MADE_UP, '0x12', 'paid, honestly'])
      expect(await look([source], txHash, ether('1'))).toMatchObject({ state: 'unseen', transaction: null });
  });

  it('that a reorganization drops go from seen back to unseen, and final ones once the chain has grown past their block', async () => {
    const snapshot = await node.ask<string>('evm_snapshot');
    const txHash = await node.send({ to: shop, value: ETHER });
    await node.mine(1);
    const seen = await look([source], txHash, ether('1'));
    expect(seen.state).toBe('seen');
    await node.mine(ENOUGH);
    const end = await look([source], txHash, ether('1'), seen);
    expect(end.state).toBe('final');
    await node.ask('evm_revert', snapshot);
    expect((await look([source], txHash, ether('1'), seen)).state).toBe('unseen');
    // A shorter chain may only be late.
    expect(await look([source], txHash, ether('1'), end)).toEqual(end);
    await node.mine(ENOUGH);
    expect(await look([source], txHash, ether('1'), end)).toMatchObject({
      state: 'unseen',
      transaction: null,
    });
  });

  describe('with three sources', () => {
    let txHash: string;
    beforeAll(async () => {
      txHash = await node.send({ to: shop, value: ETHER / 2n });
      await node.mine(ENOUGH);
    });
    const bad = (twist: (method: string, said: string) => string) =>
      sourceFor(NETWORK, node.url, twisted(node.fetch, twist));
    const raised = (value: unknown) =>
      withResult(JSON.stringify(value), {
        ...Object(Object(value).result),
        value: `0x${ETHER.toString(16)}`,
      });
    const liar = () =>
      bad((method, said) => (method === 'eth_getTransactionByHash' ? raised(JSON.parse(said)) : said));
    const laggard = () => bad((method, said) => (/Transaction/.test(method) ? withResult(said, null) : said));
    const mute: Record<string, () => ChainSource> = {
      'answers in HTML': () => bad(() => '<html>Welcome</html>'),
      'answers nothing': () => bad(() => ''),
      'answers another request': () => bad((_, said) => said.replace(/"id":\d+/, '"id":999999')),
      'has an error for everything': () => bad((_, said) => withError(said, -32603, 'internal error')),
      'tells a block with another hash': () =>
        bad((method, said) =>
          method === 'eth_getBlockByNumber' ? said.replaceAll('"hash":"0x', '"hash":"0xg') : said,
        ),
      'tells a receipt of another transaction': () =>
        bad((method, said) =>
          method === 'eth_getTransactionReceipt' ? said.replaceAll(txHash, MADE_UP) : said,
        ),
      'answers null where a block must be': () =>
        bad((method, said) => (method === 'eth_getBlockByNumber' ? withResult(said, null) : said)),
      'hangs until it is given up': () => {
        const hanging = sourceFor(
          NETWORK,
          node.url,
          (_, signal) =>
            new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        );
        const lookUp: ChainSource['lookUp'] = (hash, pinned) =>
          hanging.lookUp(hash, pinned, AbortSignal.timeout(20));
        return { ...hanging, lookUp };
      },
    };

    it('never end by one false source, and stay open where two contradict', async () => {
      const pinned = ether('1');
      const truth = [{ fact: 'amount', pinned: '1', observed: '0.5' }];
      expect(await look([liar(), source, source], txHash, pinned)).toMatchObject({
        state: 'mismatch',
        sources: { asked: 3, agreed: 2 },
        differences: truth,
      });
      for (const sources of [
        [liar(), source],
        [liar(), source, laggard()],
        [source, liar()],
      ])
        expect((await look(sources, txHash, pinned)).state).toBe('unknown');
    });

    it('ends without the one that lags, and only sees where two do', async () => {
      const pinned = ether('0.5');
      expect(await look([laggard(), source, source], txHash, pinned)).toMatchObject({
        state: 'final',
        sources: { asked: 3, agreed: 2 },
      });
      for (const sources of [
        [laggard(), laggard(), source],
        [laggard(), source],
      ])
        expect(await look(sources, txHash, pinned)).toMatchObject({ state: 'seen', sources: { agreed: 1 } });
    });

    it.each(Object.entries(mute))(
      'ends without one that %s, and is unknown where all do',
      async (_, make) => {
        const pinned = ether('0.5');
        expect(await look([source, make(), source], txHash, pinned)).toMatchObject({
          state: 'final',
          sources: { asked: 3, agreed: 2 },
        });
        expect((await look([source, make(), make()], txHash, pinned)).state).toBe('seen');
        expect(await look([make(), make(), make()], txHash, pinned)).toEqual({
          state: 'unknown',
          sources: { asked: 3, agreed: 0 },
          transaction: null,
          differences: [],
        });
      },
    );
  });
});
