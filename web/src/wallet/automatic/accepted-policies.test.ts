import { describe, expect, it } from 'vitest';
import type { Payment } from '../payments/payment.ts';
import { type AcceptedPolicy, covers, leftUnder, paysUnasked } from './accepted-policies.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const POLICY: AcceptedPolicy = {
  id: 'pol_1',
  connectionId: 'con_1',
  network: 'stellar_testnet',
  asset: 'XLM',
  issuer: null,
  single: '10',
  cumulative: '25',
  window: { from: '2026-11-15T00:00:00Z', until: '2026-11-16T00:00:00Z' },
  payees: [{ to: 'GA', memo: 'SHOP' }],
  isPaused: false,
  paid: { 'agent/con_1/former': '12.5' },
};
const FACTS = { network: 'stellar_testnet', asset: 'XLM', amount: '10', to: 'GA', memo: 'SHOP' };

function payment(changes: object = {}, facts: object = {}): Payment {
  return {
    ...{ kind: 'agent', key: 'agent/con_1/this', id: 'this', connectionId: 'con_1', status: 'pending' },
    ...{ policyId: 'pol_1', initiatedBy: 'agent', facts: { ...FACTS, ...facts } },
    ...changes,
  } as Payment;
}

it('a payment within what was agreed to on this device needs no further question', () => {
  expect(covers(POLICY, payment(), NOW)).toBe(true);
  expect(leftUnder(POLICY)).toBe('12.5');
});

describe('waits for the person', () => {
  it.each<[string, Payment]>([
    ['a payment request, which no policy covers', payment({ kind: 'request' })],
    ['what a person submitted', payment({ initiatedBy: 'human' })],
    ['another policy', payment({ policyId: 'pol_2' })],
    ['another connection', payment({ connectionId: 'con_2' })],
    ['what is already decided', payment({ status: 'signed' })],
    ['another network', payment({}, { network: 'stellar' })],
    ['another asset', payment({}, { asset: 'USDC' })],
    ['the same asset of another issuer', payment({}, { issuer: 'GB' })],
    ['another address', payment({}, { to: 'GB' })],
    ['another memo', payment({}, { memo: 'ELSE' })],
    ['no memo', payment({}, { memo: undefined })],
    ['more than one payment may be', payment({}, { amount: '10.0000001' })],
  ])('%s', (_what, asked) => {
    expect(covers(POLICY, asked, NOW)).toBe(false);
  });

  it('more than all payments may be, by this device’s own count', () => {
    const paid = { 'agent/con_1/former': '15.0000001' };
    expect(covers({ ...POLICY, paid }, payment(), NOW)).toBe(false);
    expect(covers({ ...POLICY, paid: { ...paid, 'agent/con_1/former': '15' } }, payment(), NOW)).toBe(true);
  });

  it('what is dangerous, although the policy covers it', () => {
    const paid = (facts: object) =>
      [payment({ key: 'agent/con_1/earlier', status: 'confirmed' }, facts)] as const;
    expect(paysUnasked(POLICY, payment(), paid({ amount: '2.01' }), NOW)).toBe(true);
    expect(paysUnasked(POLICY, payment(), paid({ amount: '2' }), NOW)).toBe(false);
    expect(paysUnasked(POLICY, payment(), paid({ memo: 'ELSE' }), NOW)).toBe(false);
    const payee = { recipientId: 'rcp_1' } as Payment['payee'];
    const moved = payment({ key: 'agent/con_1/earlier', status: 'confirmed', payee }, { to: 'GB' });
    expect(paysUnasked(POLICY, payment({ payee }), [moved], NOW)).toBe(false);
  });

  it('anything before, after and while it is paused', () => {
    expect(covers(POLICY, payment(), new Date('2026-11-14T23:59:59Z'))).toBe(false);
    expect(covers(POLICY, payment(), new Date('2026-11-16T00:00:00Z'))).toBe(false);
    expect(covers({ ...POLICY, isPaused: true }, payment(), NOW)).toBe(false);
  });
});
