import { describe, expect, it } from 'vitest';
import { call, madeUp, payment, policy, request, violationsOf } from './made-up.ts';

describe('caps never passed', () => {
  const look = (rows: ReturnType<typeof payment>[], attempts: ReturnType<typeof call>[] = []) =>
    violationsOf(
      'caps never passed',
      madeUp({ attempts, tables: { automation_policies: [policy()], agent_payments: rows } }),
    ).length;
  const ten = (id: string, status = 'intent_created') => payment({ agent_payment_id: id, status });

  it('holds up to the limit itself and finds the smallest amount above it', () => {
    expect(look([ten('a'), ten('b')])).toBe(0);
    expect(look([ten('a'), ten('b'), ten('c', 'rejected')])).toBe(0);
    expect(
      look([ten('a'), ten('b', 'confirmed'), payment({ agent_payment_id: 'c', amount: '0.0000001' })]),
    ).toBe(1);
  });

  it('finds a single payment above its own limit, and knows limits that were raised before', () => {
    expect(look([payment({ amount: '10.0000001' })])).toBe(1);
    const raised = call({
      method: 'PATCH',
      path: '/v1/automation-policies/pol_1',
      sent: { cumulative_limit: '40' },
    });
    expect(look([ten('a'), ten('b'), ten('c')], [raised])).toBe(0);
  });

  it('finds usage that differs from the payments, and a payment without a policy', () => {
    const tables = {
      automation_policies: [policy({ reserved: '10', spent: '0.50' })],
      agent_payments: [ten('a')],
    };
    expect(violationsOf('usage equals payments', madeUp({ tables }))).toHaveLength(1);
    const right = { ...tables, automation_policies: [policy({ reserved: '10.00' })] };
    expect(violationsOf('usage equals payments', madeUp({ tables: right }))).toEqual([]);
    const bare = { agent_payments: [payment({ policy_id: null })] };
    expect(violationsOf('agent payments have a policy', madeUp({ tables: bare }))).toHaveLength(1);
  });
});

describe('one-time things', () => {
  const uses: [string, object][] = [
    ['/v1/merchant-accounts/email-verifications', { sent: { token: 't' } }],
    ['/v1/merchants', { sent: { session_grant: 't' } }],
    ['/v1/merchant-sessions', { sent: { next_grant: 't' } }],
    ['/v1/connect-invitations/claim', { sent: { connect_key: 't' } }],
    ['/v1/connect-invitations/inv_1/exchange', { credential: 't' }],
    ['/v1/pairing/sessions/pair_1/approve', {}],
    ['/v1/wallet-devices', { sent: { link_code: 't' } }],
    ['/v1/wallet-devices', { sent: { recovery_code: 't' } }],
    ['/v1/agent-auth/token', { sent: { assertion: 't' } }],
    ['/v1/agents/agt_1/credentials/crd_1/activate', { sent: { challenge: 't' } }],
  ];
  it.each(uses)('%s is found when it worked twice', (path, parts) => {
    const use = (status: number) => call({ path, status, body: {}, ...parts });
    expect(
      violationsOf('one-time things used at most once', madeUp({ attempts: [use(201), use(409)] })),
    ).toEqual([]);
    expect(
      violationsOf('one-time things used at most once', madeUp({ attempts: [use(201), use(201)] })),
    ).toHaveLength(1);
  });

  it('finds a connect key with two invitations', () => {
    const one = {
      connect_invitation_id: 'inv_1',
      connect_key_id: 'cky_1',
      status: 'approved',
      connection_id: null,
    };
    const tables = { connect_invitations: [one, { ...one, connect_invitation_id: 'inv_2' }] };
    expect(violationsOf('one-time things used at most once', madeUp({ tables }))).toHaveLength(1);
  });
});

describe('tenants', () => {
  const pair = (status: number, message: string) => [
    call({ note: 'foreign 1', status, body: { error: { message, request_id: 'a' } } }),
    call({ note: 'absent 1', status: 404, body: { error: { message: 'none', request_id: 'b' } } }),
  ];

  it('finds a foreign id that is served, or rejected in other words than an unknown id', () => {
    expect(
      violationsOf('foreign is indistinguishable from absent', madeUp({ attempts: pair(404, 'none') })),
    ).toEqual([]);
    expect(
      violationsOf('foreign is indistinguishable from absent', madeUp({ attempts: pair(404, 'not yours') })),
    ).toHaveLength(1);
    expect(
      violationsOf('foreign is indistinguishable from absent', madeUp({ attempts: pair(200, 'none') })),
    ).toHaveLength(1);
  });

  it('finds a record that was shown to the wrong credential', () => {
    const handedOut = (id: string) =>
      call({
        path: '/v1/connect-invitations/inv/exchange',
        status: 200,
        body: { connection_token: 'token', connection: { connection_id: id } },
      });
    const read = call({
      method: 'GET',
      credential: 'token',
      status: 200,
      body: { payment_request: { request_id: 'pr_1', connection_id: 'con_1' } },
    });
    const look = (id: string) =>
      violationsOf(
        'nothing visible across tenants',
        madeUp({ attempts: [handedOut(id), read], tables: { payment_requests: [request()] } }),
      ).length;
    expect(look('con_1')).toBe(0);
    expect(look('con_2')).toBe(1);
  });
});

describe('responses and processes', () => {
  it('finds an internal error and a process that ended unexpectedly', () => {
    expect(violationsOf('no internal error', madeUp({ attempts: [call({ status: 503 })] }))).toEqual([]);
    expect(violationsOf('no internal error', madeUp({ attempts: [call({ status: 500 })] }))).toHaveLength(1);
    const faults = [{ at: 1, kind: 'service ended unexpectedly' }];
    expect(violationsOf('no process ends unexpectedly', madeUp({ faults }))).toHaveLength(1);
  });

  it('finds a call that was lost in a calm time, and leaves one alone that a storm came over', () => {
    const faults = [
      { at: 0, kind: 'calm' },
      { at: 9000, kind: 'storm' },
    ];
    const look = (lostAt: number) =>
      violationsOf(
        'every call gets a response in calm',
        madeUp({
          faults,
          attempts: [call({ at: 8000, lost: 'reset', lostAt }), call({ at: 5000, status: 200 })],
        }),
      ).length;
    expect(look(8500)).toBe(1);
    expect(look(9100)).toBe(0);
  });
});
