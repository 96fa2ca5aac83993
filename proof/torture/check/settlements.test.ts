import { describe, expect, it } from 'vitest';
import { event, madeUp, payment, paymentEvent, request, violationsOf } from './made-up.ts';
import type { Row } from './tables.ts';

const settlement = (parts: Partial<Row<'settlements'>> = {}): Row<'settlements'> => ({
  merchant_id: 'mer_1',
  connection_id: 'con_1',
  kind: 'payment_request',
  record_id: 'pr_1',
  status: 'final',
  changes: 2,
  block_hash: 'b1',
  ...parts,
});

const TIME_S = Date.parse('2026-01-01T00:00:00Z') / 1000;

describe('no final that the chain lacks', () => {
  const look = (
    parts: Partial<Row<'settlements'>>,
    told: object = {},
    settlement_state: string | null = null,
  ) =>
    violationsOf(
      'no final that the chain lacks',
      madeUp({
        chain: [{ tx_hash: 'h1', block_hash: 'b1', to: 'G1', amount: '5.0', timeS: TIME_S, ...told }],
        tables: {
          settlements: [settlement(parts)],
          payment_requests: [request({ tx_hash: 'h1' })],
          payment_request_events: [event({ settlement_state })],
          agent_payments: [payment({ tx_hash: 'h2' })],
        },
      }),
    ).length;

  it('holds for what is there, and finds what is not, is elsewhere, or is something else', () => {
    expect(look({})).toBe(0);
    expect(look({}, { tx_hash: 'h3' })).toBe(1);
    expect(look({}, { block_hash: 'b2' })).toBe(1);
    expect(look({}, { amount: '4.9' })).toBe(1);
    expect(look({}, { to: 'G2' })).toBe(1);
    expect(look({}, { isFailed: true })).toBe(1);
    expect(look({ kind: 'agent_payment', record_id: 'ap_1' })).toBe(1);
    expect(look({ record_id: 'pr_9' })).toBe(1);
    expect(look({ status: 'unseen' }, { tx_hash: 'h3' }, 'final')).toBe(1);
  });

  it('holds for a difference and a failure that are there, and finds those that are not', () => {
    expect(look({ status: 'mismatch' }, { amount: '4.9' })).toBe(0);
    expect(look({ status: 'failed_on_chain' }, { isFailed: true })).toBe(0);
    expect(look({ status: 'mismatch' })).toBe(1);
    expect(look({ status: 'failed_on_chain' })).toBe(1);
  });

  it('holds for a difference in time, and finds a payment from before its request that is final', () => {
    const old = { timeS: TIME_S - 121 };
    expect(look({ status: 'mismatch' }, old)).toBe(0);
    expect(look({}, old)).toBe(1);
    expect(look({}, { timeS: TIME_S - 119 })).toBe(0);
  });

  it('holds for a payment that another request has claimed', () => {
    const rows = (status: string) =>
      madeUp({
        chain: [{ tx_hash: 'h1', block_hash: 'b1', to: 'G1', amount: '5', timeS: TIME_S }],
        tables: {
          settlements: [settlement({ status }), settlement({ record_id: 'pr_2', status: 'mismatch' })],
          payment_requests: [
            request({ tx_hash: 'h1' }),
            request({ request_id: 'pr_2', tx_hash: 'h1', idempotency_key: 'k2' }),
          ],
        },
      });
    expect(violationsOf('no final that the chain lacks', rows('final'))).toEqual([]);
    expect(violationsOf('no final that the chain lacks', rows('seen'))).toHaveLength(1);
  });
});

describe('each settlement change published once', () => {
  const change = (sequence: number, settlement_number: number, settlement_state: string | null) =>
    event({
      sequence,
      settlement_number,
      settlement_state,
      actor: 'observer',
      previous_status: 'signed',
      type: 'payment_request.settlement_updated',
    });
  const both = [event(), change(2, 1, 'seen'), change(3, 2, 'final')];
  const look = (events: typeof both, parts: Partial<Row<'settlements'>> = {}) =>
    violationsOf(
      'each settlement change published once',
      madeUp({ tables: { settlements: [settlement(parts)], payment_request_events: events } }),
    ).length;

  it('holds for one event a change, and finds one that is missing, repeated, out of order or of no one', () => {
    expect(look(both)).toBe(0);
    expect(look(both.slice(0, 2))).toBe(1);
    expect(look(both, { changes: 3 })).toBe(1);
    expect(look([...both, change(4, 2, 'final')])).toBe(1);
    expect(look([change(2, 1, 'final'), change(3, 2, 'final')])).toBe(1);
    expect(look([change(3, 1, 'seen'), change(2, 2, 'final')])).toBe(1);
    expect(look(both, { status: 'unseen' })).toBe(1);
    expect(look(both, { record_id: 'pr_9' })).toBe(2);
  });

  it('counts those of agent payments as well', () => {
    const told = (settlement_state: string) =>
      paymentEvent({ settlement_state, settlement_number: 1, actor: 'observer', previous_status: 'signed' });
    const settlements = [settlement({ kind: 'agent_payment', record_id: 'ap_1', changes: 1 })];
    const of = (state: string) => madeUp({ tables: { settlements, agent_payment_events: [told(state)] } });
    expect(violationsOf('each settlement change published once', of('final'))).toEqual([]);
    expect(violationsOf('each settlement change published once', of('seen'))).toHaveLength(1);
  });

  it('is no step of the status', () => {
    const tables = {
      payment_requests: [request({ status: 'signed', state_version: 2 })],
      payment_request_events: both,
    };
    expect(violationsOf('status paths walk the table, one event a step', madeUp({ tables }))).toEqual([]);
  });
});
