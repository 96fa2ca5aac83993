import { describe, expect, it } from 'vitest';
import { compareWithFormer, dangersIn, risksOf, timesPaid } from '../src/wallet/payments/comparisons.ts';
import { outcomeOf } from '../src/wallet/payments/outcome.ts';
import type { Payment } from '../src/wallet/payments/payment.ts';

const NOW = new Date('2026-03-04T12:00:00.000Z');
const ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

type Bent = Omit<Partial<Payment>, 'facts' | 'payee'> & {
  facts?: Partial<Payment['facts']>;
  payee?: Partial<NonNullable<Payment['payee']>>;
};

function payment({ facts, payee, ...rest }: Bent = {}): Payment {
  return {
    kind: 'request',
    key: 'now',
    id: 'now',
    connectionId: 'con',
    status: 'pending',
    isFinal: false,
    facts: {
      rail: 'stellar_xlm',
      network: 'stellar_testnet',
      asset: 'XLM',
      amount: '5',
      to: ADDRESS,
      decimals: 7,
      recipient_version_id: 'rcv_1',
      ...facts,
    },
    pinnedDigest: '',
    payee: {
      name: 'Shop',
      domain: 'shop.example',
      recipientId: 'rcp_1',
      binding: 'domain',
      activatedAt: '2026-03-01T11:00:00.000Z',
      isCurrent: true,
      isMisspelled: false,
      ...payee,
    },
    agentName: undefined,
    merchantName: undefined,
    createdAt: '2026-03-04T11:00:00.000Z',
    updatedAt: '2026-03-04T11:00:00.000Z',
    expiresAt: '2026-03-04T13:00:00.000Z',
    txHash: undefined,
    reason: undefined,
    reasonText: undefined,
    context: undefined,
    policyId: undefined,
    initiatedBy: undefined,
    typedBy: undefined,
    duplicates: { possible: [], acknowledged: undefined },
    said: [],
    ...rest,
  };
}

function former(bent: Bent = {}): Payment {
  const at = '2026-03-01T11:00:00.000Z';
  return payment({ key: 'former', status: 'confirmed', createdAt: at, updatedAt: at, ...bent });
}

const changes = (before: Bent, now: Bent = {}) =>
  compareWithFormer(payment(now), [former(before)]).changes.map(({ what }) => what);

describe('changes since the last payment to a payee', () => {
  it('finds none when nothing changed, and no previous payment when none was paid', () => {
    expect(compareWithFormer(payment(), [former()])).toMatchObject({
      former: { key: 'former' },
      changes: [],
    });
    for (const status of ['rejected', 'expired', 'failed', 'pending'] as const)
      expect(compareWithFormer(payment(), [former({ status })]).former).toBeUndefined();
    expect(
      compareWithFormer(payment(), [former({ payee: { recipientId: 'rcp_2' } })]).former,
    ).toBeUndefined();
  });

  it.each([
    [{ facts: { recipient_version_id: 'rcv_0' } }, 'version'],
    [{ payee: { name: 'Old shop' } }, 'name'],
    [{ payee: { domain: 'old.example' } }, 'domain'],
  ])('names what changed: %j', (before, what) => {
    expect(changes(before)).toEqual([what]);
  });
});

describe('the summary of earlier payments', () => {
  const settled = (state: string) => ({ settlement: { state } as NonNullable<Payment['settlement']> });

  it('counts those to the same payee at the same address, and none that was only approved or contradicted', () => {
    const times = (...history: Bent[]) => timesPaid(payment(), history.map(former));
    expect(times({}, { key: 'other', ...settled('final') })).toBe(2);
    for (const none of [
      { key: 'now' },
      { status: 'signed' as const },
      { status: 'broadcasted' as const },
      settled('mismatch'),
      { facts: { to: `${ADDRESS.slice(0, -1)}A` } },
      { facts: { network: 'stellar_public' as const } },
      { payee: { recipientId: 'rcp_2' } },
    ])
      expect(times(none), JSON.stringify(none)).toBe(0);
  });

  it('calls a payment paid only where the chain has it for good', () => {
    expect(outcomeOf(former(settled('final')))).toBe('paid');
    for (const state of ['unknown', 'unseen', 'seen'])
      expect(outcomeOf(former(settled(state)))).toBe('reported');
    expect(outcomeOf(former())).toBe('reported');
    for (const state of ['mismatch', 'failed_on_chain'])
      expect(outcomeOf(former(settled(state)))).toBe('contradicted');
    expect(outcomeOf(former({ status: 'broadcasted', ...settled('final') }))).toBe('broadcasted');
  });
});

describe('dangers of a payment', () => {
  const dangers = (history: Payment[]) => dangersIn(payment(), history).map(({ danger }) => danger);

  it('are changes of where the money goes, by what was paid, signed or sent before', () => {
    const elsewhere = { facts: { to: `${ADDRESS.slice(0, -1)}A` } };
    for (const status of ['signed', 'broadcasted', 'confirmed'] as const)
      expect(dangers([former({ ...elsewhere, status })])).toEqual(['address']);
    for (const status of ['rejected', 'expired', 'failed', 'pending'] as const)
      expect(dangers([former({ ...elsewhere, status })])).toEqual([]);
    expect(dangers([former({ key: 'now', ...elsewhere })])).toEqual([]);
    expect(dangers([former({ facts: { amount: '1' } })])).toEqual(['amount']);
  });
});

describe('risks of a payment', () => {
  const risks = (history: Payment[], now: Bent = {}) =>
    risksOf(payment(now), history, NOW).map(({ risk }) => risk);

  it('warns of a namesake, of an address with the same ends, and of a repetition within a day', () => {
    const elsewhere = { facts: { to: 'GBBBBBBB', amount: '1' } };
    expect(risks([former({ ...elsewhere, payee: { recipientId: 'rcp_2' } })])).toEqual(['same_name']);
    const homoglyph = { recipientId: 'rcp_2', name: payment().payee?.name.replace('o', '\u043e') ?? '' };
    expect(homoglyph.name).not.toBe(payment().payee?.name);
    expect(risks([former({ ...elsewhere, payee: homoglyph })])).toEqual(['same_name']);
    const twin = `${ADDRESS.slice(0, 8)}${'X'.repeat(40)}${ADDRESS.slice(-8)}`;
    expect(risks([former({ facts: { to: twin, amount: '1' } })])).toEqual(['look_alike']);
    const recent = { updatedAt: '2026-03-04T10:00:00.000Z', facts: { amount: '5.00' } };
    expect(risks([former(recent)])).toEqual(['repeated']);
    expect(risks([former()])).toEqual([]);
  });

  it('names the namesake of another domain, however many of the same domain were paid since', () => {
    const [genuine, twin] = ['genuine', 'twin'].map((name) =>
      former({
        key: name,
        facts: { to: name, amount: '1' },
        payee: { recipientId: `rcp_${name}`, domain: name === 'twin' ? 'shop.example' : 'genuine.example' },
      }),
    ) as [Payment, Payment];
    for (const history of [
      [twin, genuine],
      [genuine, twin],
    ])
      expect(risksOf(payment(), history, NOW)).toEqual([{ risk: 'same_name', domain: 'genuine.example' }]);
    expect(risksOf(payment(), [twin], NOW)).toEqual([{ risk: 'same_name', domain: 'shop.example' }]);
  });

  it('warns of a payee that no domain vouches for, and of one that is no longer the merchant’s', () => {
    expect(risks([], { payee: { domain: undefined, isCurrent: false } })).toEqual(['unverified_domain']);
    expect(risks([], { payee: { isCurrent: false } })).toEqual(['not_current']);
  });
});
