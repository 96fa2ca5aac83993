import { describe, expect, it } from 'vitest';
import { call, event, madeUp, paymentEvent, request, violationsOf } from './made-up.ts';

const two = [event(), event({ sequence: 2, request_id: 'pr_2' })];
const head = (last_sequence: number) => [{ connection_id: 'con_1', last_sequence }];

describe('events dense', () => {
  const look = (events: typeof two, last = events.length) =>
    violationsOf(
      'events dense',
      madeUp({ tables: { payment_request_events: events, connection_heads: head(last) } }),
    ).length;

  it('holds for 1, 2 and finds a gap, a repeated number, a late start and a counter that is off', () => {
    expect(look(two)).toBe(0);
    expect(look([event(), event({ sequence: 3 })])).toBe(1);
    expect(look([event(), event({ event_id: 'evt_x' })])).toBe(1);
    expect(look([event({ sequence: 2 })])).toBe(1);
    expect(look(two, 3)).toBe(1);
  });
});

describe('events of agent payments dense', () => {
  const look = (events: ReturnType<typeof paymentEvent>[], last = events.length) =>
    violationsOf(
      'events of agent payments dense',
      madeUp({ tables: { agent_payment_events: events, agent_payment_heads: head(last) } }),
    ).length;

  it('holds for 1, 2 and finds a gap, a repeated number and a counter that is off', () => {
    const both = [paymentEvent(), paymentEvent({ sequence: 2, agent_payment_id: 'ap_2' })];
    expect(look(both)).toBe(0);
    expect(look([paymentEvent(), paymentEvent({ sequence: 3 })])).toBe(1);
    expect(look([paymentEvent(), paymentEvent({ event_id: 'evt_x' })])).toBe(1);
    expect(look(both, 3)).toBe(1);
  });
});

describe('polled pages complete', () => {
  const poll = (since: number, events: unknown[], next_cursor: number) =>
    call({
      method: 'GET',
      path: '/v1/payment-requests/events',
      query: { since },
      status: 200,
      body: { events, next_cursor },
    });
  const look = (attempt: ReturnType<typeof poll>) =>
    violationsOf(
      'polled pages complete',
      madeUp({ attempts: [attempt], tables: { payment_request_events: two } }),
    );

  it('holds for a page as stored and finds a skipped event, a wrong cursor and an event that is not stored', () => {
    expect(look(poll(0, two, 2))).toEqual([]);
    expect(look(poll(0, [two[1]], 2))).toHaveLength(1);
    expect(look(poll(0, two, 3))).toHaveLength(1);
    expect(look(poll(2, [event({ sequence: 3 })], 3))).toHaveLength(1);
    expect(look(poll(0, [{ ...two[0], status: 'failed' }], 1))).toHaveLength(1);
  });
});

describe('acknowledged writes present', () => {
  const told = { request_id: 'pr_1', connection_id: 'con_1', status: 'pending', state_version: 1 };
  const look = (body: unknown, tables: Parameters<typeof madeUp>[0] extends infer P ? P : never) =>
    violationsOf(
      'acknowledged writes present',
      madeUp({ ...tables, attempts: [call({ status: 201, body })] }),
    ).length;

  it('finds a request that is gone, one that went back, and one whose status differs from what was returned', () => {
    const stored = { tables: { payment_requests: [request()] } };
    expect(look({ payment_request: told }, stored)).toBe(0);
    expect(look({ payment_request: told }, {})).toBe(1);
    expect(look({ payment_request: { ...told, status: 'signed', state_version: 2 } }, stored)).toBe(1);
    const moved = {
      tables: {
        payment_requests: [request({ status: 'rejected', state_version: 2 })],
        payment_request_events: [event({ status: 'rejected' })],
      },
    };
    expect(look({ payment_request: { ...told, status: 'signed', state_version: 2 } }, moved)).toBe(1);
  });

  it('finds an event, a context, a connection, an endpoint and a policy that are gone', () => {
    expect(look({ event: event() }, {})).toBe(1);
    expect(look({ event: event() }, { tables: { payment_request_events: [event()] } })).toBe(0);
    expect(look({ transaction_context: { transaction_id: 't', revision: 2 } }, {})).toBe(1);
    expect(look({ connection: { connection_id: 'con_1' } }, {})).toBe(1);
    expect(look({ webhook_endpoint: { webhook_endpoint_id: 'whe_1', version: 1 } }, {})).toBe(1);
    const attempts = [
      call({
        path: '/v1/automation-policies/pol_1',
        status: 200,
        body: { data: { id: 'pol_1', version: 1 } },
      }),
    ];
    expect(violationsOf('acknowledged writes present', madeUp({ attempts }))).toHaveLength(1);
  });
});
