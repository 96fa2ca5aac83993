import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { NETWORKS, PAYMENT_REQUEST_STATUSES, RAILS } from '../enumerations.ts';
import { PaymentRequestSchema, type PaymentRequestV1, PaymentRequestV1Schema } from './index.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
const isValid = ajv.compile(PaymentRequestV1Schema);
const isFullRecord = ajv.compile(PaymentRequestSchema);

const MINIMAL: PaymentRequestV1 = {
  protocol: 'svc.payment_request.v1',
  request_id: 'r',
  connection_id: 'c',
  created_at: '2026-01-02T03:04:05.678Z',
  expires_at: '2026-01-02T04:04:05.678Z',
  status: 'pending',
  source: {},
  payee: { name: 'Shop' },
  payment: { rail: 'stellar_xlm', network: 'stellar_testnet', asset: 'XLM', amount: '0.5', to: 'G' },
  policy: { requires_user_approval: true },
};
const withPart = (name: 'payee' | 'payment' | 'policy' | 'source', part: object) => ({
  ...MINIMAL,
  [name]: { ...MINIMAL[name], ...part },
});
const without = (object: object, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

describe('Payment Request schema, section 2.1', () => {
  it('accepts the smallest record and every optional member', () => {
    expect(isValid(MINIMAL)).toBe(true);
    const full = {
      ...MINIMAL,
      transaction_id: 't',
      idempotency_key: '',
      display: {},
      metadata: { any: [1, { thing: null }] },
      payee: { name: 'S', verified: true },
      payment: { ...MINIMAL.payment, contract: '', issuer: '', decimals: 0, chain_id: 0, memo: '' },
    };
    expect(isValid(full)).toBe(true);
  });

  it('allows additional properties at the top and inside source, payee, payment, policy, display, metadata', () => {
    expect(isValid({ ...MINIMAL, extra: 1, display: { x: 1 }, metadata: { x: 1 } })).toBe(true);
    for (const part of ['payee', 'payment', 'policy', 'source'] as const)
      expect(isValid(withPart(part, { extra: {} }))).toBe(true);
  });

  it('requires exactly the members that the specification requires', () => {
    for (const name of Object.keys(MINIMAL)) expect(isValid(without(MINIMAL, name)), name).toBe(false);
    for (const part of ['payee', 'payment', 'policy'] as const) {
      for (const name of Object.keys(MINIMAL[part])) {
        expect(isValid({ ...MINIMAL, [part]: without(MINIMAL[part], name) }), `${part}.${name}`).toBe(false);
      }
    }
  });

  it.each([
    [{ protocol: 'svc.payment_request.v2' }],
    [{ request_id: '' }],
    [{ request_id: 'x'.repeat(161) }],
    [{ connection_id: '' }],
    [{ connection_id: 'x'.repeat(161) }],
    [{ transaction_id: '' }],
    [{ transaction_id: 'x'.repeat(161) }],
    [{ idempotency_key: 'x'.repeat(257) }],
    [{ idempotency_key: null }],
    [{ created_at: 'yesterday' }],
    [{ expires_at: '2026-01-02' }],
    [{ status: 'paid' }],
    [{ source: [] }],
    [{ source: 'x' }],
    [{ display: 'x' }],
    [{ metadata: null }],
  ])('refuses %j', (change) => {
    expect(isValid({ ...MINIMAL, ...change })).toBe(false);
  });

  it.each([
    ['payee', { name: '' }],
    ['payee', { verified: 'yes' }],
    ['policy', { requires_user_approval: false }],
    ['policy', { requires_user_approval: 'true' }],
    ['payment', { rail: 'paper' }],
    ['payment', { network: 'stellar' }],
    ['payment', { asset: '' }],
    ['payment', { to: '' }],
    ['payment', { decimals: 256 }],
    ['payment', { decimals: -1 }],
    ['payment', { decimals: 1.5 }],
    ['payment', { chain_id: -1 }],
    ['payment', { memo: 7 }],
    ['payment', { contract: null }],
    ['payment', { amount: 1 }],
    ...['0', '0.0', '01', '1.', '.1', '-1', '+1', '1e3', '1,0', '', ' 1', '1\n'].map(
      (amount) => ['payment', { amount }] as const,
    ),
  ] as const)('refuses %s %j', (part, change) => {
    expect(isValid(withPart(part, change))).toBe(false);
  });

  it('accepts limits exactly', () => {
    const change = {
      request_id: '😀'.repeat(160),
      transaction_id: 'x'.repeat(160),
      idempotency_key: 'x'.repeat(256),
    };
    expect(isValid({ ...MINIMAL, ...change })).toBe(true);
    expect(isValid(withPart('payment', { decimals: 255, chain_id: 2 ** 40, amount: '10.00' }))).toBe(true);
  });

  it('knows all 31 rails, 31 networks and 7 statuses', () => {
    expect([RAILS.length, NETWORKS.length, PAYMENT_REQUEST_STATUSES.length]).toEqual([31, 31, 7]);
    for (const rail of RAILS) expect(isValid(withPart('payment', { rail })), rail).toBe(true);
    for (const network of NETWORKS) expect(isValid(withPart('payment', { network })), network).toBe(true);
    for (const status of PAYMENT_REQUEST_STATUSES) expect(isValid({ ...MINIMAL, status })).toBe(true);
  });
});

describe('Payment Request as this service returns it', () => {
  const ULID = '01ARYZ6S410000000000000000';
  const digest = `sha256:${'0'.repeat(64)}`;
  const record = {
    ...MINIMAL,
    payee: {
      name: 'Shop',
      verified: true,
      domain: 'shop.example',
      recipient_id: `rcp_${ULID}`,
      recipient_version_id: `rcv_${ULID}`,
      evidence_digest: digest,
      binding: 'domain',
      activated_at: '2026-01-01T00:00:00.000Z',
      is_current: true,
    },
    state_version: 1,
    is_final: false,
    facts_digest: digest,
    updated_at: '2026-01-02T03:04:05.678Z',
  };

  it('satisfies its own schema and the specified one, with and without the optional members', () => {
    const reported = { tx_hash: 'ab', reason: null, reason_text: null, transaction_context: { revision: 3 } };
    for (const value of [record, { ...record, ...reported }]) {
      expect(isFullRecord(value), ajv.errorsText(isFullRecord.errors)).toBe(true);
      expect(isValid(value)).toBe(true);
    }
  });

  it('needs the members that the contract adds', () => {
    for (const name of ['state_version', 'is_final', 'facts_digest', 'updated_at']) {
      expect(isFullRecord(without(record, name)), name).toBe(false);
    }
    expect(isFullRecord({ ...record, payee: MINIMAL.payee })).toBe(false);
  });
});
