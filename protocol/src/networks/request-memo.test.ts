import { describe, expect, it } from 'vitest';
import type { PaymentFacts } from '../digests.ts';
import { NETWORKS, type Network } from '../enumerations.ts';
import { deriveFacts } from './derive.ts';
import { checkMemo } from './memo.ts';
import { parsePaymentUri } from './read-payment-uri.ts';
import { memoTypeOf, requestMemo, requestMemoProblem } from './request-memo.ts';
import { networkRow, paymentUri } from './table.ts';

const ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
const FACTS: PaymentFacts = {
  rail: 'stellar_xlm',
  network: 'stellar_testnet',
  asset: 'XLM',
  amount: '12.50',
  to: ADDRESS,
  decimals: 7,
  recipient_version_id: 'rcv_01ARYZ6S410000000000000000',
};
const SUBJECT = { connection_id: 'con_1', request_id: 'pr_1' };
const on = (network: Network): PaymentFacts => ({ ...FACTS, network });

describe('the memo of one request', () => {
  it('is on Stellar the SHA-256 of its details and its name, the published vector', () => {
    // printf '%s' '{"amount":"12.50","asset":"XLM","connection_id":"con_1",…}' | sha256sum
    const line = `{"amount":"12.50","asset":"XLM","connection_id":"con_1","decimals":7,"network":"stellar_testnet","rail":"stellar_xlm","recipient_version_id":"rcv_01ARYZ6S410000000000000000","request_id":"pr_1","to":"${ADDRESS}"}`;
    let hashed = '';
    const memo = requestMemo({ ...FACTS, memo: 'ignored', contract: null }, SUBJECT, 0, (text) => {
      hashed = text;
      return 'ab'.repeat(32);
    });
    expect(hashed).toBe(line);
    expect(memo).toBe('ab'.repeat(32));
    expect(requestMemo(FACTS, SUBJECT)).toMatch(/^[0-9a-f]{64}$/);
    expect(memoTypeOf('stellar_testnet', requestMemo(FACTS, SUBJECT))).toBe('hash');
  });

  it('differs with every detail, and between a request and an agent payment', () => {
    const memos = [
      requestMemo(FACTS, SUBJECT),
      requestMemo({ ...FACTS, amount: '12.51' }, SUBJECT),
      requestMemo(FACTS, { ...SUBJECT, request_id: 'pr_2' }),
      requestMemo(FACTS, { ...SUBJECT, connection_id: 'con_2' }),
      requestMemo(FACTS, { connection_id: 'con_1', agent_payment_id: 'pr_1' }),
    ];
    expect(new Set(memos).size).toBe(memos.length);
  });

  it.each(NETWORKS.filter((network) => requestMemoProblem(networkRow(network), undefined) === undefined))(
    'on %s is one that the network takes',
    (network) => {
      const row = networkRow(network);
      const memos = [0, 1, 2].map((attempt) => requestMemo(on(network), SUBJECT, attempt));
      expect(new Set(memos).size).toBe(3);
      if (row.addressKind === 'stellar') return;
      for (const memo of memos) {
        expect(checkMemo(row.memo, memo, row.title)).toBeUndefined();
        expect(memoTypeOf(network, memo)).toBeUndefined();
        if (row.memo.kind === 'text') expect(memo).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ0-9]{12}$/);
      }
    },
  );

  it('is possible on Stellar, XRPL, the Internet Computer and where text is carried, and nowhere else', () => {
    const possible = NETWORKS.filter(
      (network) => requestMemoProblem(networkRow(network), undefined) === undefined,
    );
    expect(possible).toEqual(NETWORKS.filter((network) => networkRow(network).memo.kind !== 'none'));
  });

  it('is carried by a payment link as MEMO_HASH in base64, and read from it', () => {
    const memo = requestMemo(FACTS, SUBJECT);
    const input = { asset: 'XLM', address: ADDRESS, amount: '12.50', memo, decimals: 7 };
    const uri = paymentUri('stellar_testnet', input) ?? '';
    const query = new URL(uri).searchParams;
    expect(query.get('memo_type')).toBe('MEMO_HASH');
    expect(query.get('memo')).toBe(Buffer.from(memo, 'hex').toString('base64'));
    expect(parsePaymentUri(uri)).toMatchObject({ network: 'stellar_testnet', memo });
  });
});

describe('memo_policy', () => {
  const derive = (more: object) =>
    deriveFacts({ network: 'stellar_testnet', asset: 'XLM', address: ADDRESS, ...more });

  it('request is part of the details, and fixed is not', () => {
    expect(derive({ memo_policy: 'request' })).toMatchObject({
      facts: { memo: null, memo_policy: 'request' },
    });
    const fixed = derive({ memo_policy: 'fixed', memo: 'x' });
    expect(fixed.ok && 'memo_policy' in fixed.facts).toBe(false);
  });

  it.each([
    ['beside a memo', { memo_policy: 'request', memo: 'x' }],
    ['with a muxed address', { memo_policy: 'request', address: MUXED }],
    [
      'where payments carry no memo',
      {
        memo_policy: 'request',
        network: 'bitcoin_mainnet',
        asset: 'BTC',
        address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      },
    ],
  ])('request %s is invalid', (_, more) => {
    expect(derive(more)).toMatchObject({
      ok: false,
      issues: [{ field: 'memo_policy', code: 'invalid_format' }],
    });
  });
});
