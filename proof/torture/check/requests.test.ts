import { factsDigest } from '@payassent/protocol';
import { describe, expect, it } from 'vitest';
import { call, event, madeUp, payment, paymentEvent, request, version, violationsOf } from './made-up.ts';

const create = (key: string, status: number, id: string) =>
  call({ path: '/v1/payment-requests', key, status, body: { payment_request: { request_id: id } } });

describe('at most one request per key', () => {
  it('holds for replays of one request, and for two connections with one key', () => {
    const tables = { payment_requests: [request(), request({ request_id: 'pr_2', connection_id: 'con_2' })] };
    const attempts = [create('k1', 201, 'pr_1'), create('k1', 200, 'pr_1')];
    expect(violationsOf('at most one request per key', madeUp({ attempts, tables }))).toEqual([]);
  });

  it('finds two rows, two responses, and two that were both called new', () => {
    const tables = { payment_requests: [request(), request({ request_id: 'pr_2' })] };
    expect(violationsOf('at most one request per key', madeUp({ tables }))).toHaveLength(1);
    const other = [create('k1', 201, 'pr_1'), create('k1', 200, 'pr_2')];
    expect(violationsOf('at most one request per key', madeUp({ attempts: other }))).toHaveLength(1);
    const twice = [create('k1', 201, 'pr_1'), create('k1', 201, 'pr_1')];
    expect(violationsOf('at most one request per key', madeUp({ attempts: twice }))).toHaveLength(1);
    const payments = { agent_payments: [payment(), payment({ agent_payment_id: 'ap_2' })] };
    expect(violationsOf('at most one request per key', madeUp({ tables: payments }))).toHaveLength(1);
  });

  it('finds a key that took another body', () => {
    const first = create('k1', 201, 'pr_1');
    const second = (status: number) => ({
      ...create('k1', status, 'pr_1'),
      at: 30,
      note: 'same key, other body',
    });
    expect(
      violationsOf('a key with another body is refused', madeUp({ attempts: [first, second(422)] })),
    ).toEqual([]);
    expect(
      violationsOf('a key with another body is refused', madeUp({ attempts: [first, second(200)] })),
    ).toHaveLength(1);
  });
});

describe('facts equal their pinned version', () => {
  const digest = factsDigest({
    rail: 'stellar_xlm',
    network: 'stellar_testnet',
    asset: 'XLM',
    decimals: 7,
    amount: '5',
    to: 'G1',
    recipient_version_id: 'rcv_1',
  });
  const sound = request({ facts_digest: digest });

  it('holds, and finds another address, another tenant, a version that never was active and a wrong digest', () => {
    const look = (row: typeof sound, of = version()) =>
      violationsOf(
        'facts equal their pinned version',
        madeUp({ tables: { payment_requests: [row], recipient_versions: [of] } }),
      ).length;
    expect(look(sound)).toBe(0);
    expect(look(sound, version({ address: 'G2' }))).toBe(1);
    expect(look(sound, version({ merchant_id: 'mer_2' }))).toBe(1);
    expect(look(sound, version({ activated_at: null }))).toBe(1);
    expect(look({ ...sound, amount: '6' })).toBe(1);
  });

  it('finds a response whose details differ from the stored ones', () => {
    const told = {
      connection_id: 'con_1',
      request_id: 'pr_1',
      facts_digest: 'sha256:1',
      payment: { amount: '5' },
    };
    const attempts = [call({ status: 200, body: { payment_request: told } })];
    const tables = { payment_requests: [sound], recipient_versions: [version()] };
    expect(violationsOf('facts equal their pinned version', madeUp({ attempts, tables }))).toHaveLength(1);
  });
});

describe('status paths walk the table', () => {
  const walk = (status: string, stateVersion: number, ...events: ReturnType<typeof event>[]) =>
    violationsOf(
      'status paths walk the table, one event a step',
      madeUp({
        tables: {
          payment_requests: [request({ status, state_version: stateVersion })],
          payment_request_events: events,
        },
      }),
    ).length;
  const broadcasted = event({
    sequence: 2,
    status: 'broadcasted',
    previous_status: 'signed',
    state_version: 3,
  });

  it('holds for a request that waits and for one that went its way', () => {
    expect(walk('pending', 1)).toBe(0);
    expect(walk('broadcasted', 3, event(), broadcasted)).toBe(0);
  });

  it('finds a step without event, an event without step, a jump, a step back and a step twice', () => {
    expect(walk('signed', 2)).toBe(1);
    expect(walk('pending', 1, event())).toBe(1);
    expect(walk('broadcasted', 2, event({ status: 'broadcasted' }))).toBe(1);
    expect(
      walk('pending', 3, event(), event({ status: 'pending', previous_status: 'signed', state_version: 3 })),
    ).toBe(1);
    expect(walk('signed', 2, event(), event({ sequence: 2 }))).toBe(1);
    expect(
      walk(
        'rejected',
        3,
        event({ status: 'expired' }),
        event({ status: 'rejected', previous_status: 'expired', state_version: 3 }),
      ),
    ).toBe(1);
  });

  it('finds the event of a request that no one knows', () => {
    const tables = { payment_request_events: [event({ request_id: 'pr_9' })] };
    expect(violationsOf('status paths walk the table, one event a step', madeUp({ tables }))).toHaveLength(1);
  });
});

describe('events of payments walk the table', () => {
  const walk = (status: string, stateVersion: number, ...events: ReturnType<typeof paymentEvent>[]) =>
    violationsOf(
      'payment paths walk the table, one event a step',
      madeUp({
        tables: {
          agent_payments: [payment({ status, state_version: stateVersion })],
          agent_payment_events: events,
        },
      }),
    ).length;

  it('holds for one that waits and one that ended, and finds a missing, a foreign and an impossible step', () => {
    expect(walk('intent_created', 1)).toBe(0);
    expect(walk('cancelled', 2, paymentEvent({ status: 'cancelled' }))).toBe(0);
    expect(walk('signed', 2)).toBe(1);
    expect(walk('intent_created', 1, paymentEvent({ agent_payment_id: 'ap_9' }))).toBe(1);
    expect(walk('confirmed', 2, paymentEvent({ status: 'confirmed' }))).toBe(1);
  });
});

describe('payment paths walk the table', () => {
  const message = (status: string, stateVersion: number, previous?: string) => ({
    event_id: `evt_${status}`,
    merchant_id: 'mer_1',
    type: `agent_payment.${status}`,
    body: JSON.stringify({
      data: { agent_payment: { id: 'ap_1', status, state_version: stateVersion }, previous_status: previous },
    }),
  });

  it('holds for one message a step and finds a missing one and a forbidden one', () => {
    const made = message('intent_created', 1);
    const signed = payment({ status: 'signed', state_version: 2 });
    const look = (messages: ReturnType<typeof message>[]) =>
      violationsOf(
        'payment paths walk the table, one message a step',
        madeUp({ tables: { agent_payments: [signed], webhook_messages: messages } }),
      ).length;
    expect(look([made, message('signed', 2, 'intent_created')])).toBe(0);
    expect(look([made])).toBe(1);
    expect(look([made, message('signed', 2, 'broadcasted')])).toBe(1);
  });
});

describe('revoked connections', () => {
  it('hold nothing pending', () => {
    const connections = [
      {
        connection_id: 'con_1',
        merchant_id: 'mer_1',
        wallet_id: 'wlt_1',
        agent_id: 'agt_1',
        status: 'revoked',
      },
    ];
    const look = (status: string) =>
      violationsOf(
        'revoked connections hold nothing pending',
        madeUp({ tables: { connections, payment_requests: [request({ status })] } }),
      ).length;
    expect(look('rejected')).toBe(0);
    expect(look('pending')).toBe(1);
  });
});

describe('each request is listed once, by its status', () => {
  const name = { merchant_id: 'mer_1', connection_id: 'con_1', request_id: 'pr_1' };
  const other = { ...name, request_id: 'pr_2' };
  const rows = [request(), request({ request_id: 'pr_2', status: 'signed' })];
  const look = (pending: (typeof name)[], byStatus: (typeof name & { status: string })[]) =>
    violationsOf(
      'each request listed once, by its status',
      madeUp({
        tables: { payment_requests: rows, pending_requests: pending, requests_by_status: byStatus },
      }),
    ).length;

  it('holds, and finds what is missing, left behind, listed twice, by another status, or of no request', () => {
    const signed = { ...other, status: 'signed' };
    expect(look([name], [signed])).toBe(0);
    expect(look([], [signed])).toBe(1);
    expect(look([name], [])).toBe(1);
    expect(look([name, other], [signed])).toBe(1);
    expect(look([name], [signed, { ...other, status: 'broadcasted' }])).toBe(1);
    expect(look([name], [{ ...other, status: 'confirmed' }])).toBe(1);
    expect(look([name, { ...name, request_id: 'pr_3' }], [signed])).toBe(1);
  });
});
