import { describe, expect, it } from 'vitest';
import { newDecisionKey } from '../../stage/people/decision-keys.ts';
import { MAILBOX_THIEF } from '../clients/attackers.ts';
import { OWNER } from '../clients/known-world.ts';
import { faultsOf, judge, leftOutOf } from './index.ts';
import { call, event, madeUp, payment, request, version, violationsOf } from './made-up.ts';

describe('no approval without a key of the wallet', () => {
  const owners = newDecisionKey();
  const thiefs = newDecisionKey();
  const stated = {
    decision: 'approve',
    request_id: 'pr_1',
    connection_id: 'con_1',
    facts_digest: 'sha256:0',
  };
  const signed = (by: typeof owners, change: object = {}) => {
    const statement = JSON.stringify({ ...stated, ...change });
    return { statement, signature: by.sign(statement) };
  };
  const look = (decision: ReturnType<typeof signed> | null) =>
    violationsOf(
      'no approval without a key of the wallet',
      madeUp({
        attempts: [owners, thiefs].map(({ key }) =>
          call({
            method: 'PUT',
            path: '/v1/wallet-devices/dev_1/decision-key',
            sent: { device_id: 'dev_1', decision_key: key },
            note: key === owners.key ? OWNER : 'device thief',
          }),
        ),
        tables: {
          devices: [{ device_id: 'dev_1', wallet_id: 'wlt_1', status: 'active' }],
          payment_requests: [request({ status: 'signed', decision })],
          payment_request_events: [event()],
        },
      }),
    ).length;

  it('holds for what the owner signed, and finds what was signed otherwise or not at all', () => {
    expect(look(signed(owners))).toBe(0);
    expect(look(signed(thiefs))).toBe(1);
    expect(look(null)).toBe(1);
    expect(look(signed(owners, { request_id: 'pr_2' }))).toBe(1);
    expect(look(signed(owners, { decision: 'reject' }))).toBe(1);
  });
});

describe('a payment settles one request', () => {
  const look = (first: string, second: string, status: string) =>
    violationsOf(
      'a payment settles one request',
      madeUp({
        tables: {
          payment_requests: [request({ tx_hash: first })],
          agent_payments: [payment({ tx_hash: second })],
          settlements: [
            { kind: 'payment_request' as const, record_id: 'pr_1', status: 'final' },
            { kind: 'agent_payment' as const, record_id: 'ap_1', status },
          ].map((row) => ({
            merchant_id: 'mer_1',
            connection_id: 'con_1',
            changes: 1,
            block_hash: 'b',
            ...row,
          })),
        },
      }),
    ).length;

  it('holds for one of two, and finds both, in whatever spelling', () => {
    expect(look('0xab', '0xab', 'mismatch')).toBe(0);
    expect(look('0xab', '0xab', 'final')).toBe(1);
    expect(look('0xab', 'AB', 'final')).toBe(1);
  });
});

describe('no payee change by mailbox alone', () => {
  const stolen = call({
    path: '/v1/recipients/rcp_1/versions',
    sent: { address: 'G1' },
    note: MAILBOX_THIEF,
  });
  const activate = (status: number) =>
    call({ path: '/v1/recipients/rcp_1/versions/rcv_1/activate', note: MAILBOX_THIEF, status });
  const look = (activated_at: string | null, status: number) =>
    violationsOf(
      'no payee change by mailbox alone',
      madeUp({
        attempts: [stolen, activate(status)],
        tables: { recipient_versions: [version({ activated_at })] },
      }),
    ).length;

  it('holds for what was refused or waits for another owner, and finds what is active', () => {
    expect(look(null, 403)).toBe(0);
    expect(look(null, 202)).toBe(0);
    expect(look('2026-01-01', 200)).toBe(2);
    expect(look('2026-01-01', 503)).toBe(1);
  });

  it('is left out with a reason where the service has no such rule, and is judged where it has', () => {
    const reasons = leftOutOf({ guardedDoor: undefined });
    expect(Object.values(reasons)).toEqual([expect.stringContaining('SVC_PAYEE_CHANGE')]);
    expect(leftOutOf({ guardedDoor: 'b' })).toEqual({});
    const [name = ''] = Object.keys(reasons);
    const faults = (leftOut: Record<string, string>) =>
      faultsOf(judge(madeUp({ leftOut }))).filter((fault) => fault.startsWith(name));
    expect(faults(reasons)).toEqual([]);
    expect(faults({})).toHaveLength(1);
  });
});

describe('every log entry has one spelling', () => {
  const domain = 'shop.example';
  const look = (entries: string[], readings: [string, boolean][]) =>
    violationsOf(
      'every log entry has one spelling',
      madeUp({
        readings: readings.map(([spelling, isAccepted]) => ({ domain, spelling, isAccepted })),
        tables: {
          log_entries: entries.map((each, position) => ({
            position,
            entry: JSON.stringify({ domain: each }),
          })),
        },
      }),
    ).length;

  it('holds for lower-case A-labels, and finds every other spelling that is written or accepted', () => {
    expect(look([domain, 'xn--bcher-kva.example'], [])).toBe(0);
    expect(look(['Shop.example', 'shop.example.', ' shop.example', 'shöp.example', 'shop'], [])).toBe(5);
    expect(
      look(
        [],
        [
          [domain, true],
          ['Shop.example', false],
        ],
      ),
    ).toBe(0);
    expect(
      look(
        [],
        [
          [domain, false],
          ['Shop.example', true],
        ],
      ),
    ).toBe(2);
  });
});

describe('a shared token is known as one', () => {
  const rotated = call({
    path: '/v1/connections/con_1/rotate-token',
    status: 200,
    body: { connection_token: 't1' },
  });
  const create = (key: string) =>
    call({
      path: '/v1/payment-requests',
      credential: 't1',
      key,
      status: 201,
      body: { payment_request: { connection_id: 'con_1' } },
    });
  const look = (created_with: string, ...more: ReturnType<typeof call>[]) =>
    violationsOf(
      'a shared token is known as one',
      madeUp({
        attempts: [rotated, create('k1'), ...more],
        tables: { payment_requests: [request({ created_with })] },
      }),
    ).length;

  it('holds for a record that names the shared token, and finds one that does not, returned payees, and a kept token', () => {
    expect(look('shared_token')).toBe(0);
    expect(look('own_token')).toBe(1);
    const payees = (status: number) =>
      call({ method: 'GET', path: '/v1/payees', credential: 't1', status, body: {} });
    expect(look('shared_token', payees(403))).toBe(0);
    expect(look('shared_token', payees(200))).toBe(1);
    const collected = (connection_token: string) =>
      call({ path: '/v1/connections/con_1/collect-token', status: 200, body: { connection_token } });
    expect(look('shared_token', collected('t2'))).toBe(0);
    expect(look('shared_token', collected('t1'))).toBe(1);
  });
});
