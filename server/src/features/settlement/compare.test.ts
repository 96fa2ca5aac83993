import type { ObservedTransaction } from '@payassent/protocol/records';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObservedPayment, PinnedPayment } from './chain.ts';
import { type Claim, compare, memoOfText } from './compare.ts';

const transaction = (payments: ObservedPayment[], memo: string | null = null): ObservedTransaction => ({
  tx_hash: 'h',
  block: 1,
  block_hash: 'b',
  time: null,
  confirmations: 1,
  payments,
  memo,
});

const differences = (pinned: PinnedPayment, found: ObservedTransaction) =>
  compare(pinned, found, '0', []).differences;

const ETHER: PinnedPayment = { to: 'shop', asset: 'ETH', amount: '1.50' };
const TOKEN: PinnedPayment = { to: 'shop', asset: 'USDC', amount: '7', contract: '0xC', decimals: 6 };
const ISSUED: PinnedPayment = { to: 'shop', asset: 'USDC', amount: '7', issuer: 'GI', memo: 'order 7' };

describe('the comparison of a transaction with the pinned details', () => {
  it.each<[string, PinnedPayment, ObservedPayment[], string | null, object[]]>([
    ['the exact amount, in other digits', ETHER, [{ to: 'shop', asset: 'ETH', amount: '1.5' }], null, []],
    [
      'too little',
      ETHER,
      [{ to: 'shop', asset: 'ETH', amount: '1.499' }],
      null,
      [{ fact: 'amount', pinned: '1.50', observed: '1.499' }],
    ],
    [
      'too much',
      ETHER,
      [{ to: 'shop', asset: 'ETH', amount: '2' }],
      null,
      [{ fact: 'amount', pinned: '1.50', observed: '2' }],
    ],
    [
      'two payments that make the amount, beside change',
      ETHER,
      [
        { to: 'shop', asset: 'ETH', amount: '0.9' },
        { to: 'payer', asset: 'ETH', amount: '40' },
        { to: 'shop', asset: 'ETH', amount: '0.6' },
      ],
      null,
      [],
    ],
    [
      'another address',
      ETHER,
      [
        { to: 'payer', asset: 'ETH', amount: '40' },
        { to: 'thief', asset: 'ETH', amount: '1.5' },
      ],
      null,
      [
        { fact: 'to', pinned: 'shop', observed: 'thief' },
        { fact: 'amount', pinned: '1.50', observed: '0' },
      ],
    ],
    [
      'nothing paid at all',
      ETHER,
      [],
      null,
      [
        { fact: 'to', pinned: 'shop', observed: null },
        { fact: 'amount', pinned: '1.50', observed: '0' },
      ],
    ],
    [
      'a token of another contract',
      TOKEN,
      [{ to: 'shop', asset: '0xD', amount: '7000000', contract: '0xD' }],
      null,
      [
        { fact: 'contract', pinned: '0xC', observed: '0xD' },
        { fact: 'amount', pinned: '7', observed: '0' },
      ],
    ],
    [
      'the coin instead of a token',
      TOKEN,
      [{ to: 'shop', asset: 'ETH', amount: '7' }],
      null,
      [
        { fact: 'asset', pinned: 'USDC', observed: 'ETH' },
        { fact: 'contract', pinned: '0xC', observed: null },
        { fact: 'amount', pinned: '7', observed: '0' },
      ],
    ],
    [
      'a token that calls itself like the coin',
      ETHER,
      [{ to: 'shop', asset: 'ETH', amount: '1.5', contract: '0xD' }],
      null,
      [
        { fact: 'contract', pinned: null, observed: '0xD' },
        { fact: 'amount', pinned: '1.50', observed: '0' },
      ],
    ],
    [
      'an asset of another issuer, and another memo',
      ISSUED,
      [{ to: 'shop', asset: 'USDC', amount: '7', issuer: 'GX' }],
      'order 8',
      [
        { fact: 'issuer', pinned: 'GI', observed: 'GX' },
        { fact: 'amount', pinned: '7', observed: '0' },
        { fact: 'memo', pinned: 'order 7', observed: 'order 8' },
      ],
    ],
    [
      'another asset of the same issuer',
      ISSUED,
      [{ to: 'shop', asset: 'EURC', amount: '7', issuer: 'GI' }],
      'order 7',
      [
        { fact: 'asset', pinned: 'USDC', observed: 'EURC' },
        { fact: 'amount', pinned: '7', observed: '0' },
      ],
    ],
    [
      'no memo where one is pinned',
      ISSUED,
      [{ to: 'shop', asset: 'USDC', amount: '7', issuer: 'GI' }],
      null,
      [{ fact: 'memo', pinned: 'order 7', observed: null }],
    ],
    [
      'a memo where none is pinned',
      ETHER,
      [{ to: 'shop', asset: 'ETH', amount: '1.5' }],
      'surprise',
      [{ fact: 'memo', pinned: null, observed: 'surprise' }],
    ],
    [
      'a numeric memo where the pinned text reads like one',
      { ...ISSUED, memo: 'id:7' },
      [{ to: 'shop', asset: 'USDC', amount: '7', issuer: 'GI' }],
      'id:7',
      [{ fact: 'memo', pinned: 'text:id:7', observed: 'id:7' }],
    ],
    [
      'a text memo that reads like a number, as pinned',
      { ...ISSUED, memo: 'id:7' },
      [{ to: 'shop', asset: 'USDC', amount: '7', issuer: 'GI' }],
      memoOfText('id:7'),
      [],
    ],
  ])('finds in %s exactly what differs', (_, pinned, payments, memo, expected) => {
    expect(differences(pinned, transaction(payments, memo))).toEqual(expected);
  });

  it('finds no difference only where one payment to the pinned address in the pinned asset, or all of them, make the amount', () => {
    const payment = fc.record({
      to: fc.constantFrom('shop', 'thief'),
      asset: fc.constantFrom('USDC', 'XLM'),
      amount: fc.constantFrom('1', '2', '3.5', '7'),
    });
    const issued = fc.tuple(payment, fc.constantFrom('GI', 'GX', undefined));
    fc.assert(
      fc.property(fc.array(issued, { maxLength: 4 }), (drawn) => {
        const payments = drawn.map(([plain, issuer]) => (issuer ? { ...plain, issuer } : plain));
        const amounts = payments
          .filter(
            ({ to, asset, ...rest }) =>
              to === 'shop' && asset === 'USDC' && 'issuer' in rest && rest.issuer === 'GI',
          )
          .map(({ amount }) => Number(amount));
        const sum = amounts.reduce((total, amount) => total + amount, 0);
        const found = differences({ ...ISSUED, memo: null }, transaction(payments));
        expect(found.length === 0).toBe(amounts.includes(7) || sum === 7);
      }),
      { numRuns: 2000 },
    );
  });

  it('never takes one kind of memo for another', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('id:1', 'text:id:1', 'hash:00', 'text:', 'bytes:AA=='),
    );
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(memoOfText(one) === memoOfText(other)).toBe(one === other);
        expect(memoOfText(one)).not.toMatch(/^(id|hash|return|bytes):/);
      }),
    );
  });
});

describe('what a record takes of a transaction', () => {
  const paid = (...amounts: string[]) =>
    transaction(amounts.map((amount) => ({ to: 'shop', asset: 'ETH', amount })));
  const ether = (amount: string): PinnedPayment => ({ to: 'shop', asset: 'ETH', amount });

  it('is the one payment of the pinned amount, else all that no other record took', () => {
    expect(compare(ether('2'), paid('1', '2', '3'), '0', []).taken).toEqual([{ payment: 1, amount: '2' }]);
    const first = [{ payment: 0, amount: '1' }];
    expect(compare(ether('5'), paid('3', '1', '2'), '0', first)).toEqual({
      differences: [],
      taken: [
        { payment: 1, amount: '2' },
        { payment: 2, amount: '3' },
      ],
    });
    expect(compare(ether('6'), paid('1', '2', '3'), '0', first).differences).toEqual([
      { fact: 'amount', pinned: '6', observed: '5' },
    ]);
  });

  it('is nothing where others took every payment, and that is the only difference', () => {
    const late = {
      ...ether('2'),
      memo: 'x',
      made: { at: '2026-01-01T00:00:00.000Z', network: 'ethereum_mainnet' },
    } as const;
    const old = { ...paid('2'), time: '2020-01-01T00:00:00.000Z' };
    for (const payment of [0, -1])
      expect(compare(late, old, '0', [{ payment, amount: '2' }])).toEqual({
        differences: [{ fact: 'claimed', pinned: null, observed: null }],
        taken: [],
      });
  });

  it('is no more than the payee gained by the transaction', () => {
    expect(compare(ether('2'), paid('2'), '2', []).differences).toEqual([
      { fact: 'amount', pinned: '2', observed: '0' },
    ]);
    expect(compare(ether('2'), paid('2', '2'), '1', [])).toMatchObject({ differences: [] });
    expect(compare(ether('2'), paid('2', '2'), '1', [{ payment: 0, amount: '2' }]).differences).toEqual([
      { fact: 'amount', pinned: '2', observed: '1' },
    ]);
  });

  it.each([
    ['stellar_testnet', 120],
    ['ethereum_mainnet', 120],
    ['bitcoin_mainnet', 7200],
    ['dogecoin_mainnet', 7200],
  ] as const)('is not older than the record: on %s by %d seconds at most', (network, seconds) => {
    const at = '2026-01-01T12:00:00.000Z';
    const pinned: PinnedPayment = { ...ether('2'), made: { at, network } };
    const before = (age: number) => new Date(Date.parse(at) - age * 1000).toISOString();
    const found = (age: number) => compare(pinned, { ...paid('2'), time: before(age) }, '0', []).differences;
    expect(found(seconds)).toEqual([]);
    expect(found(seconds + 1)).toEqual([{ fact: 'time', pinned: at, observed: before(seconds + 1) }]);
  });

  it('by all records together is never more than the payee gained, and no payment twice', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        amounts,
        fc.nat(12),
        fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 8 }),
        (credits, debit, asks) => {
          const claims: Claim[] = [];
          let settled = 0;
          for (const ask of asks) {
            const found = compare(ether(String(ask)), paid(...credits.map(String)), String(debit), claims);
            if (found.differences.length > 0) continue;
            settled += ask;
            claims.push(...found.taken);
          }
          const gained = credits.reduce((sum, credit) => sum + credit, 0) - debit;
          expect(settled).toBeLessThanOrEqual(Math.max(0, gained));
          expect(new Set(claims.map(({ payment }) => payment)).size).toBe(claims.length);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
