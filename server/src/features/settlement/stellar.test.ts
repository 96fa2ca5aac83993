import { type Horizon, hashOf, PASSPHRASE, startHorizon } from '@payassent/proof/chains/horizon';
import { look, plainFetch } from '@payassent/proof/chains/look';
import {
  Account,
  Asset,
  encodeMuxedAccount,
  encodeMuxedAccountToAddress,
  Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainFetch, ChainSource, PinnedPayment } from './chain.ts';
import { sourceFor } from './source-for.ts';

const NETWORK = 'stellar_testnet';
const payer = Keypair.random();
const shop = Keypair.random().publicKey();
const thief = Keypair.random().publicKey();
const issuer = Keypair.random().publicKey();
const XLM = Asset.native();
const USDC = new Asset('USDC', issuer);
const COUNTERFEIT = new Asset('USDC', thief);
const muxed = encodeMuxedAccountToAddress(encodeMuxedAccount(shop, '7'), true);

const lumens = (amount: string, memo?: string): PinnedPayment => ({
  to: shop,
  asset: 'XLM',
  amount,
  memo,
  decimals: 7,
});
const dollars = (amount: string): PinnedPayment => ({ to: shop, asset: 'USDC', amount, issuer, decimals: 7 });

function build(operations: readonly xdr.Operation[], memo: Memo = Memo.none()) {
  const builder = new TransactionBuilder(new Account(payer.publicKey(), '1'), {
    fee: '100',
    networkPassphrase: PASSPHRASE,
    memo,
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(0).build();
  transaction.sign(payer);
  return transaction;
}

const pay = (amount: string, asset = XLM, destination = shop) =>
  Operation.payment({ destination, asset, amount });

describe('payments on a test Horizon that takes real XDR apart', () => {
  let horizon: Horizon;
  let source: ChainSource;
  beforeAll(async () => {
    horizon = await startHorizon();
    source = sourceFor(NETWORK, `${horizon.url}/`, plainFetch);
  });
  afterAll(() => horizon?.close());

  const submit = (
    operations: readonly xdr.Operation[],
    memo?: Memo,
    fate?: Parameters<Horizon['submit']>[1],
  ) => horizon.submit(build(operations, memo).toXDR(), fate);

  it('are final in a closed ledger, with every detail', async () => {
    const txHash = submit([pay('12.5', USDC)]);
    horizon.closeLedgers(2);
    const found = await look([source], txHash.toUpperCase(), dollars('12.50'));
    expect(found).toMatchObject({
      state: 'final',
      sources: { asked: 1, agreed: 1 },
      transaction: {
        tx_hash: txHash,
        block_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        time: expect.stringMatching(/^2026-01-01T\d\d:\d\d:\d\d\.000Z$/),
        confirmations: 3,
        payments: [{ to: shop, asset: 'USDC', amount: '12.5', issuer }],
        memo: null,
      },
      differences: [],
    });
    const tip = await source.tip(new AbortController().signal);
    expect(tip.height).toBe((found.transaction?.block ?? 0) + 2);
  });

  it.each<[string, xdr.Operation[], { received?: string }]>([
    ['two payments', [pay('3'), pay('1', XLM, thief), pay('4')], {}],
    [
      'an account that is created',
      [Operation.createAccount({ destination: shop, startingBalance: '7' })],
      {},
    ],
    ['an account that is merged', [Operation.accountMerge({ destination: shop })], { received: '7.0000000' }],
    [
      'a path payment of a fixed sum',
      [
        Operation.pathPaymentStrictReceive({
          sendAsset: USDC,
          sendMax: '2',
          destination: shop,
          destAsset: XLM,
          destAmount: '7',
        }),
      ],
      {},
    ],
    [
      'a path payment of what it yields',
      [
        Operation.pathPaymentStrictSend({
          sendAsset: USDC,
          sendAmount: '2',
          destination: shop,
          destAsset: XLM,
          destMin: '1',
        }),
      ],
      { received: '7' },
    ],
  ])('count what arrived: %s', async (_, operations, fate) => {
    const txHash = submit(operations, Memo.none(), fate);
    expect(await look([source], txHash, lumens('7'))).toMatchObject({ state: 'final', differences: [] });
    expect((await look([source], txHash, lumens('7.0000001'))).differences).toEqual([
      { fact: 'amount', pinned: '7.0000001', observed: '7' },
    ]);
  });

  it('of another amount, address, asset, issuer or memo are a mismatch, with what differs', async () => {
    const nothing = { fact: 'amount', pinned: '1', observed: '0' };
    const expected: [xdr.Operation, Memo, PinnedPayment, object[]][] = [
      [pay('0.5'), Memo.none(), lumens('1'), [{ fact: 'amount', pinned: '1', observed: '0.5' }]],
      [pay('1.5'), Memo.none(), lumens('1'), [{ fact: 'amount', pinned: '1', observed: '1.5' }]],
      [
        pay('1', XLM, thief),
        Memo.none(),
        lumens('1'),
        [{ fact: 'to', pinned: shop, observed: thief }, nothing],
      ],
      [
        pay('1', XLM, muxed),
        Memo.none(),
        lumens('1'),
        [{ fact: 'to', pinned: shop, observed: muxed }, nothing],
      ],
      [
        pay('1', COUNTERFEIT),
        Memo.none(),
        dollars('1'),
        [{ fact: 'issuer', pinned: issuer, observed: thief }, nothing],
      ],
      [
        pay('1'),
        Memo.none(),
        dollars('1'),
        [
          { fact: 'asset', pinned: 'USDC', observed: 'XLM' },
          { fact: 'issuer', pinned: issuer, observed: null },
          nothing,
        ],
      ],
      [
        pay('1', new Asset('XLM', thief)),
        Memo.none(),
        lumens('1'),
        [{ fact: 'issuer', pinned: null, observed: thief }, nothing],
      ],
      [
        pay('1'),
        Memo.text('order 8'),
        lumens('1', 'order 7'),
        [{ fact: 'memo', pinned: 'order 7', observed: 'order 8' }],
      ],
      [pay('1'), Memo.none(), lumens('1', 'order 7'), [{ fact: 'memo', pinned: 'order 7', observed: null }]],
      [pay('1'), Memo.text('order 7'), lumens('1'), [{ fact: 'memo', pinned: null, observed: 'order 7' }]],
      [pay('1'), Memo.id('7'), lumens('1', '7'), [{ fact: 'memo', pinned: '7', observed: 'id:7' }]],
      [
        pay('1'),
        Memo.hash('ab'.repeat(32)),
        lumens('1'),
        [{ fact: 'memo', pinned: null, observed: `hash:${'ab'.repeat(32)}` }],
      ],
    ];
    for (const [operation, memo, pinned, differences] of expected)
      expect(await look([source], submit([operation], memo), pinned)).toMatchObject({
        state: 'mismatch',
        differences,
      });
  });

  it('with the pinned memo and to the pinned muxed address are final', async () => {
    const toMuxed = submit([pay('1', XLM, muxed)]);
    expect((await look([source], toMuxed, { ...lumens('1'), to: muxed })).state).toBe('final');
    for (const memo of ['order 7', 'id:7', 'ünïcode'])
      expect(await look([source], submit([pay('1')], Memo.text(memo)), lumens('1', memo))).toMatchObject({
        state: 'final',
        differences: [],
      });
  });

  it('inside a fee bump are found under both hashes, and go by that of the fee bump', async () => {
    const inner = build([pay('1')]);
    const outer = TransactionBuilder.buildFeeBumpTransaction(payer, '1000', inner, PASSPHRASE);
    outer.sign(payer);
    horizon.submit(outer.toXDR());
    expect(hashOf(outer)).not.toBe(hashOf(inner));
    for (const txHash of [hashOf(outer), hashOf(inner)])
      expect(await look([source], txHash, lumens('1'))).toMatchObject({
        state: 'final',
        transaction: { tx_hash: hashOf(outer) },
      });
  });

  it('that the payee makes to itself are no payments', async () => {
    const txHash = submit([Operation.payment({ destination: shop, asset: XLM, amount: '3', source: shop })]);
    expect(await look([source], txHash, lumens('3'))).toMatchObject({
      state: 'mismatch',
      differences: [{ fact: 'amount', pinned: '3', observed: '0' }],
    });
  });

  it('that failed are failed on chain and moved nothing', async () => {
    const txHash = submit([pay('1')], Memo.none(), { fails: true });
    expect(await look([source], txHash, lumens('1'))).toMatchObject({
      state: 'failed_on_chain',
      transaction: { payments: [] },
      differences: [],
    });
  });

  it('among more effects than a page holds are all counted', async () => {
    const send = Operation.pathPaymentStrictSend({
      sendAsset: XLM,
      sendAmount: '1',
      destination: shop,
      destAsset: USDC,
      destMin: '1',
    });
    const txHash = submit(Array(100).fill(send), Memo.none(), { received: '1.1' });
    expect(await look([source], txHash, dollars('110'))).toMatchObject({ state: 'final', differences: [] });
  });

  it('that no one made are unseen, and a 404 that is not from Horizon is ignored', async () => {
    for (const txHash of ['5'.repeat(64), 'paid, honestly', '../ledgers/1'])
      expect(await look([source], txHash, lumens('1'))).toMatchObject({
        state: 'unseen',
        sources: { agreed: 1 },
      });
    const twisted =
      (status: number, body: string): ChainFetch =>
      async (request, signal) =>
        request.url.includes('/ledgers') ? plainFetch(request, signal) : { status, body: Buffer.from(body) };
    for (const [status, body] of [
      [404, '<html>Not found</html>'],
      [404, '{"error": "no such route"}'],
      [200, '{}'],
      [200, JSON.stringify({ hash: '6'.repeat(64), successful: true, ledger: 3, memo_type: 'none' })],
      [302, '{}'],
      [500, '{"status": 500}'],
    ] as const) {
      const odd = sourceFor(NETWORK, horizon.url, twisted(status, body));
      expect(await look([odd], '5'.repeat(64), lumens('1')), body).toMatchObject({ state: 'unknown' });
    }
  });

  it('that were final stay so when a source lags behind their ledger', async () => {
    const txHash = submit([pay('1')]);
    const end = await look([source], txHash, lumens('1'));
    const behind: ChainFetch = async (request, signal) => {
      const answer = await plainFetch(request, signal);
      const isTip = request.url.includes('order=desc');
      const earlier = Buffer.from(answer.body)
        .toString('utf8')
        .replace(/"sequence":\d+/, '"sequence":1');
      return isTip ? { ...answer, body: Buffer.from(earlier) } : answer;
    };
    horizon.hide(txHash, true);
    const lagging = sourceFor(NETWORK, horizon.url, behind);
    expect(await look([lagging], txHash, lumens('1'), end)).toEqual(end);
    expect((await look([lagging], txHash, lumens('1'))).state).toBe('unseen');
  });
});
