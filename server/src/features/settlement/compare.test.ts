import type { ObservedTransaction } from '@payassent/protocol/records';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObservedPayment, PinnedPayment } from './chain.ts';
import { differences } from './compare.ts';
import { memoOfText } from './memo-text.ts';

const transaction = (payments: ObservedPayment[], memo: string | null = null): ObservedTransaction => ({
  tx_hash: 'h',
  block: 1,
  block_hash: 'b',
  time: null,
  confirmations: 1,
  payments,
  memo,
});

const ETHER: PinnedPayment = { to: 'shop', asset: 'ETH', amount: '1.50' };
const TOKEN: PinnedPayment = { to: 'shop', asset: 'USDC', amount: '7', contract: '0xC', decimals: 6 };
const ISSUED: PinnedPayment = { to: 'shop', asset: 'USDC', amount: '7', issuer: 'GI', memo: 'order 7' };

describe('the comparison of a transaction with the pinned facts', () => {
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

  it('finds no difference only where the payments to the pinned address in the pinned asset make the amount', () => {
    const payment = fc.record({
      to: fc.constantFrom('shop', 'thief'),
      asset: fc.constantFrom('USDC', 'XLM'),
      amount: fc.constantFrom('1', '2', '3.5', '7'),
    });
    const issued = fc.tuple(payment, fc.constantFrom('GI', 'GX', undefined));
    fc.assert(
      fc.property(fc.array(issued, { maxLength: 4 }), (drawn) => {
        const payments = drawn.map(([plain, issuer]) => (issuer ? { ...plain, issuer } : plain));
        const sum = payments
          .filter(
            ({ to, asset, ...rest }) =>
              to === 'shop' && asset === 'USDC' && 'issuer' in rest && rest.issuer === 'GI',
          )
          .reduce((total, { amount }) => total + Number(amount), 0);
        const found = differences({ ...ISSUED, memo: null }, transaction(payments));
        expect(found.length === 0).toBe(sum === 7);
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
