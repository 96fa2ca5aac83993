import { describe, expect, it } from 'vitest';
import { dangersOf, type PaymentToPayee } from './danger.ts';

const PAYMENT: PaymentToPayee = {
  recipientId: 'rcp_1',
  network: 'stellar_testnet',
  asset: 'XLM',
  to: 'GA',
  memo: 'SHOP',
  amount: '5',
};
const dangers = (...before: Partial<PaymentToPayee>[]) =>
  dangersOf(
    PAYMENT,
    before.map((changes) => ({ ...PAYMENT, ...changes })),
  );

describe('a payment to a known payee is dangerous', () => {
  it.each<[Partial<PaymentToPayee>, object]>([
    [{ to: 'GB' }, { danger: 'address', before: 'GB' }],
    [{ network: 'stellar_public' }, { danger: 'network', before: 'stellar_public' }],
    [{ asset: 'USDC' }, { danger: 'asset', before: 'USDC' }],
    [{ issuer: 'GI' }, { danger: 'issuer', before: 'GI' }],
    [{ contract: '0xA0' }, { danger: 'contract', before: '0xA0' }],
    [{ memo: 'ELSE' }, { danger: 'memo', before: 'ELSE' }],
    [{ memo: null }, { danger: 'memo', before: null }],
    [{ amount: '1' }, { danger: 'amount', highest: '1' }],
  ])('when the last one had %j', (before, danger) => {
    expect(dangers(before)).toEqual([danger]);
  });

  it('with a changed address and a far higher amount, both', () => {
    expect(dangers({ to: 'GB', amount: '0.5' }).map(({ danger }) => danger)).toEqual(['address', 'amount']);
  });

  it.each([
    ['1', true],
    ['1.0000001', false],
    ['0.9999999', true],
    ['5', false],
    ['500', false],
  ])('from five times the highest amount on: 5 after %s is %s', (highest, isFar) => {
    expect(dangers({ amount: '0.1' }, { amount: highest }).length > 0).toBe(isFar);
  });

  it('compared with the last payment, not with any', () => {
    expect(dangers({}, { to: 'GB' })).toEqual([]);
    expect(dangers({ to: 'GB' }, {})).not.toEqual([]);
  });
});

describe('a payment is not dangerous', () => {
  it('to a payee that was never paid, whatever others were paid', () => {
    expect(dangers()).toEqual([]);
    expect(dangers({ recipientId: 'rcp_2', to: 'GB', amount: '0.1' })).toEqual([]);
    expect(dangers({ recipientId: null, amount: '0.1' })).toEqual([]);
  });

  it('like the last one, however absent members are written', () => {
    expect(dangers({})).toEqual([]);
    expect(dangers({ issuer: null, contract: undefined })).toEqual([]);
    expect(dangersOf({ ...PAYMENT, memo: undefined }, [{ ...PAYMENT, memo: '' }])).toEqual([]);
  });

  it('to a bare address that was paid before in the same amount', () => {
    const bare = { ...PAYMENT, recipientId: null };
    expect(dangersOf(bare, [bare])).toEqual([]);
    expect(dangersOf(bare, [{ ...bare, to: 'GB' }])).toEqual([]);
    expect(dangersOf(bare, [{ ...bare, amount: '1' }])).toEqual([{ danger: 'amount', highest: '1' }]);
  });

  it('by amounts of another asset', () => {
    const [asset, ...more] = dangers({ asset: 'USDC', amount: '0.1' });
    expect([asset?.danger, more]).toEqual(['asset', []]);
  });
});
