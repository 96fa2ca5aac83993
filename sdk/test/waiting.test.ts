import type { Behaviour, ReceivedRequest } from '@payassent/proof/surroundings/http-receiver';
import {
  AgentClient,
  type Clock,
  generateAgentKey,
  isApiError,
  isPayAssentError,
  memoryStore,
  outcome,
  systemClock,
  WaitTimeoutError,
  WalletClient,
} from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import { caught, json, refusal, SHORT_MS, sampleToken, scriptedServer } from './harness/scripted.ts';

const TOKEN = json(200, {
  ok: true,
  agent_token: sampleToken('agent'),
  token_type: 'Bearer',
  expires_in: 600,
  scopes: [],
});

/** A server that responds by path, and the clients of an agent in real time. */
async function agentAt(
  answer: (path: string, request: ReceivedRequest) => Behaviour,
  clock: Clock = systemClock,
) {
  const server = await scriptedServer();
  const pathOf = (request: ReceivedRequest) => request.path.split('?')[0] ?? '';
  server.script((request) =>
    pathOf(request) === '/v1/agent-auth/token' ? TOKEN : answer(pathOf(request), request),
  );
  const options = {
    baseUrl: server.url,
    clock,
    agentId: 'agt_1',
    kid: 'k',
    key: generateAgentKey(),
    store: memoryStore(),
  };
  const agent = new AgentClient(options);
  const grant = { connectionId: 'con_1', connectionToken: sampleToken('connection') };
  return { server, agent, paymentRequests: agent.connection(grant).paymentRequests };
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const record = (status: string, ended = minutesAgo(-60)) => {
  const times = { expires_at: ended, updated_at: ended };
  return json(200, {
    ok: true,
    payment_request: { request_id: 'pr_1', connection_id: 'con_1', status, ...times },
  });
};
const NO_EVENTS = json(200, { ok: true, events: [], next_cursor: 0, has_more: false });

const pairing = { pairing_session_id: 'pair_1', code: 'BCDF-GHJK', poll_after_ms: 20 } as Parameters<
  AgentClient['pairing']['wait']
>[0];
const claimed = {
  connect_invitation: { connect_invitation_id: 'inv_1' },
  claim_token: sampleToken('claim'),
} as Parameters<AgentClient['invitations']['wait']>[0];

describe('the time of a whole wait', () => {
  it.each(['never', 'reset'] as const)('ends it whatever call it is in (%s)', async (kind) => {
    const behaviour: Behaviour = kind === 'never' ? { kind } : { kind, when: 'before-headers' };
    const { agent, paymentRequests } = await agentAt(() => behaviour);
    const limit = { timeoutMs: SHORT_MS, maxRetries: 50 };
    const key = { connect_key: 'svc_ck_x', requested_scopes: [] };
    const startedAt = performance.now();
    const late = await Promise.all([
      caught(paymentRequests.waitForStatus('pr_1', limit)),
      caught(agent.pairing.wait(pairing, limit)),
      caught(agent.invitations.wait(claimed, limit)),
      ...(kind === 'never' ? [caught(agent.invitations.connect(key, limit))] : []),
    ]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    for (const error of late) expect(isPayAssentError(error) && error.code).toBe('wait_timeout');
  });

  it('does not take the exchange of an approved invitation away', async () => {
    const { agent } = await agentAt((path) => {
      if (!path.endsWith('/exchange'))
        return json(200, { ok: true, connect_invitation: { status: 'approved' } });
      const connected = {
        connection: { connection_id: 'con_1' },
        connection_token: sampleToken('connection'),
      };
      return { ...json(200, { ok: true, ...connected }), delayMs: 2000 } as Behaviour;
    });
    const { connection } = await agent.invitations.wait(claimed, { timeoutMs: 1500 });
    expect(connection.connection_id).toBe('con_1');
  });

  it('that is no time is refused', async () => {
    const { agent, paymentRequests } = await agentAt(() => ({ kind: 'never' }));
    for (const timeoutMs of [Number.NaN, -1])
      expect(await caught(paymentRequests.waitForStatus('pr_1', { timeoutMs }))).toBeInstanceOf(TypeError);
    expect(await caught(agent.pairing.wait(pairing, { pollMs: Number.NaN }))).toBeInstanceOf(TypeError);
  });
});

describe('a wait for a status', () => {
  const HISTORY = 20_000;
  function events(request: ReceivedRequest, count: number): Behaviour {
    const query = new URL(request.path, 'http://localhost').searchParams;
    const [since, limit] = [Number(query.get('since')), Number(query.get('limit') ?? 100)];
    const length = Math.max(0, Math.min(limit, count - since));
    const page = Array.from({ length }, (_, index) => ({ sequence: since + 1 + index, request_id: 'other' }));
    const has_more = since + length < count;
    return json(200, { ok: true, events: page, next_cursor: since + length, has_more });
  }

  it.each(['pending', 'signed'])(
    'of a request that stays %s ends after five minutes, with the request',
    async (status) => {
      let over: () => void = () => undefined;
      const clock: Clock = {
        now: systemClock.now,
        after(delayMs, callback) {
          if (delayMs !== 300_000) return systemClock.after(delayMs, callback);
          over = callback;
          return () => undefined;
        },
      };
      const { server, paymentRequests } = await agentAt(
        (path) => (path.endsWith('/events') ? NO_EVENTS : record(status)),
        clock,
      );
      const waiting = caught(paymentRequests.waitForStatus('pr_1'));
      await server.waitForRequests(4);
      over();
      const error = await waiting;
      if (!(error instanceof WaitTimeoutError)) throw error;
      expect(error).toMatchObject({ status, paymentRequest: { request_id: 'pr_1', status } });
      expect(error.message).toContain(`pr_1 is still ${status}`);
    },
  );

  it('that was signed and then fell silent returns the request instead of waiting without end', async () => {
    const { server, paymentRequests } = await agentAt(() => record('signed', minutesAgo(11)));
    const silent = await paymentRequests.waitForStatus('pr_1', { timeoutMs: Number.POSITIVE_INFINITY });
    expect([silent.status, outcome(silent), server.requests.length]).toEqual(['signed', 'unknown', 1]);

    // The same when the silence grows too long while it waits.
    let aheadMs = 0;
    const clock: Clock = { now: () => Date.now() + aheadMs, after: systemClock.after };
    const { paymentRequests: later } = await agentAt((path) => {
      if (!path.endsWith('/events')) return record('broadcasted', minutesAgo(0));
      aheadMs = 11 * 60_000;
      return NO_EVENTS;
    }, clock);
    const grown = await later.waitForStatus('pr_1', { timeoutMs: Number.POSITIVE_INFINITY });
    expect(grown.status).toBe('broadcasted');
  });

  it('of a request that has ended is one read', async () => {
    const { server, paymentRequests } = await agentAt(() => record('confirmed'));
    expect((await paymentRequests.waitForStatus('pr_1')).status).toBe('confirmed');
    expect(server.requests).toHaveLength(1);
  });

  it('finds the end of a long history without reading it, and does not search for it again', async () => {
    const reads = { count: 0 };
    const { server, paymentRequests } = await agentAt((path, request) => {
      if (path.endsWith('/events')) return events(request, HISTORY);
      reads.count += 1;
      // It ends while the client searches for the newest number: the second read shows it.
      return record(reads.count % 2 === 1 ? 'pending' : 'confirmed');
    });
    expect((await paymentRequests.waitForStatus('pr_1')).status).toBe('confirmed');
    expect(reads.count).toBe(2);
    const first = server.requests.length;
    expect(first).toBeLessThan(18);
    await paymentRequests.waitForStatus('pr_1');
    expect(server.requests.length - first).toBe(3);
    const sinces = server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('since'));
    expect(sinces.at(-2)).toBe(String(HISTORY));
  });
});

describe('a wait for an agent payment', () => {
  const OTHERS =
    'connection_id network asset amount to recipient_id initiated_by policy_id tx_hash reason created_at metadata rail facts_digest';
  const others = Object.fromEntries(OTHERS.split(' ').map((name) => [name, null]));
  const payment = (status: string, state_version: number, ended = minutesAgo(-60)) => {
    const times = { expires_at: ended, updated_at: ended };
    return json(200, { success: true, data: { ...others, id: 'ap_1', status, state_version, ...times } });
  };

  it('requests a response at the next change, and returns a payment that fell silent after signing', async () => {
    const { server, agent } = await agentAt((_, { path }) => {
      const known = new URL(path, 'http://x').searchParams.get('state_version');
      return known === null ? payment('intent_created', 1) : payment('signed', 2, minutesAgo(11));
    });
    const { agentPayments } = agent.connection({
      connectionId: 'con_1',
      connectionToken: sampleToken('connection'),
    });
    const silent = await agentPayments.waitForStatus('ap_1', { timeoutMs: Number.POSITIVE_INFINITY });
    expect([silent.status, outcome(silent)]).toEqual(['signed', 'unknown']);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/agent-payments/ap_1',
      '/v1/agent-payments/ap_1?wait=25&state_version=1',
    ]);
    // biome-ignore lint/suspicious/noExplicitAny: a status that there is not
    const wrong = await caught(agentPayments.waitForStatus('ap_1', { statuses: ['paid' as any] }));
    expect(String(wrong)).toContain('statuses is a list out of intent_created');
  });

  it('ends after five minutes, with the payment', async () => {
    let over: () => void = () => undefined;
    const clock: Clock = {
      now: systemClock.now,
      after(delayMs, callback) {
        if (delayMs !== 300_000) return systemClock.after(delayMs, callback);
        over = callback;
        return () => undefined;
      },
    };
    const { server, agent } = await agentAt(() => payment('intent_created', 1), clock);
    const grant = { connectionId: 'con_1', connectionToken: sampleToken('connection') };
    const waiting = caught(agent.connection(grant).agentPayments.waitForStatus('ap_1'));
    await server.waitForRequests(2);
    over();
    expect(await waiting).toMatchObject({
      code: 'wait_timeout',
      status: 'intent_created',
      agentPayment: { id: 'ap_1' },
    });
  });
});

describe('pairing', () => {
  it('whose connection was revoked meanwhile ends with the error of the service', async () => {
    const { agent, server } = await agentAt((path) =>
      path.endsWith('/collect-token')
        ? refusal(409, 'connection_revoked')
        : json(200, {
            ok: true,
            pairing_session: { status: 'completed' },
            connection: { connection_id: 'con_1' },
            connection_token: null,
          }),
    );
    const error = await caught(agent.pairing.wait(pairing, { timeoutMs: 5000 }));
    expect(isApiError(error, 'connection_revoked')).toBe(true);
    expect(server.requests.at(-1)?.path).toBe('/v1/connections/con_1/collect-token');
  });
});

describe('a rotated token', () => {
  it.each([
    [503, 'unavailable', 'unavailable'],
    [409, 'connection_revoked', 'token_rotated'],
  ])('whose collection returns %i %s is reported as %s', async (status, code, told) => {
    const { paymentRequests } = await agentAt((path) =>
      path.endsWith('/collect-token') ? refusal(status, code) : refusal(401, 'token_rotated'),
    );
    expect(await caught(paymentRequests.get('pr_1'))).toMatchObject({ code: told });
  });
});

describe('the inbox', () => {
  it('returns each request once, however many are there at the start', async () => {
    const PENDING = 1200;
    const server = await scriptedServer();
    const requests = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ request_id: `pr_${from - index}`, connection_id: 'c' }));
    server.script(({ path }) => {
      const query = new URL(path, server.url).searchParams;
      const page = (payment_requests: object[], next_cursor: string | null) =>
        json(200, { ok: true, payment_requests, next_cursor });
      if (query.get('wait') === null) {
        const from = Number(query.get('cursor') ?? PENDING);
        return page(requests(from, 100), from > 100 ? String(from - 100) : null);
      }
      // The newest came after the place of the first wait was marked: that wait and the list both show them.
      return query.get('cursor') === null
        ? page(requests(PENDING - 50, 50), 'mark')
        : page(requests(PENDING + 1, 51), 'later');
    });
    const wallet = new WalletClient({ baseUrl: server.url, deviceToken: sampleToken('device') });
    const told: string[] = [];
    for await (const { request_id } of wallet.paymentRequests.inbox()) {
      told.push(request_id);
      if (request_id === `pr_${PENDING + 1}`) break;
    }
    expect(told).toHaveLength(PENDING + 1);
    expect(new Set(told).size).toBe(PENDING + 1);
  });
});

describe('an aborted signal', () => {
  it('ends the waiting for a shared token, and its failure later is no one’s', async () => {
    const { agent, server } = await agentAt(() => ({ kind: 'never' }));
    server.script(() => refusal(401, 'assertion_replayed'));
    const reason = new Error('too late');
    const signal = AbortSignal.abort(reason);
    expect(await caught(agent.connections.list({}, { signal }))).toBe(reason);
    expect(server.requests).toHaveLength(0);
    const unhandled: unknown[] = [];
    const hear = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', hear);
    expect(await caught(agent.token(signal))).toBe(reason);
    await server.waitForRequests(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.off('unhandledRejection', hear);
    expect(unhandled).toEqual([]);
  });
});

describe('a service that is away', () => {
  /** Pauses are short, and deadlines are as they are. */
  const hasty: Clock = {
    now: () => Date.now(),
    after: (delayMs, callback) => systemClock.after(delayMs < 10_000 ? delayMs / 50 : delayMs, callback),
  };
  const html = (status: number): Behaviour => ({
    kind: 'answer',
    status,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Bad gateway</h1>',
  });
  const AWAY: readonly Behaviour[] = [
    { kind: 'reset', when: 'before-headers' },
    html(502),
    html(504),
    refusal(503, 'unavailable'),
    refusal(500, 'internal_error'),
    refusal(429, 'rate_limited'),
  ];

  it('ends no wait, whatever it fails with and however often, from the first read to the last', async () => {
    let calls = 0;
    // Each outage lasts longer than the retries of one call.
    const { paymentRequests, server } = await agentAt((path) => {
      calls += 1;
      const away = AWAY[Math.floor(calls / 8) % AWAY.length];
      if (calls % 8 !== 0 && away) return away;
      if (path.endsWith('/events')) {
        const events = calls > 60 ? [{ sequence: 1, request_id: 'pr_1' }] : [];
        return json(200, { ok: true, events, next_cursor: events.length, has_more: false });
      }
      return record(calls > 60 ? 'confirmed' : 'pending');
    }, hasty);
    const request = await paymentRequests.waitForStatus('pr_1', { timeoutMs: 120_000 });
    expect(outcome(request)).toBe('paid');
    expect(server.requests.length).toBeGreaterThan(60);
  });

  it('is reported when the time of the wait is over, with the last failure', async () => {
    let over: () => void = () => undefined;
    const clock: Clock = {
      now: hasty.now,
      after(delayMs, callback) {
        if (delayMs !== 300_000) return hasty.after(delayMs, callback);
        over = callback;
        return () => undefined;
      },
    };
    const { paymentRequests, server } = await agentAt(() => html(502), clock);
    const waiting = caught(paymentRequests.waitForStatus('pr_1'));
    // One more than the attempts of one call: the first poll has failed.
    await server.waitForRequests(5);
    over();
    const error = await waiting;
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect((error as WaitTimeoutError).cause).toMatchObject({ code: 'unexpected_answer', httpStatus: 502 });
  });

  it('is not waited for where no PayAssent responds, but what comes between later is', async () => {
    const wrong = await agentAt(() => html(200), hasty);
    const error = await caught(wrong.paymentRequests.waitForStatus('pr_1', { timeoutMs: 60_000 }));
    expect(isPayAssentError(error) && error.code).toBe('unexpected_answer');
    let calls = 0;
    const between = await agentAt((path) => {
      calls += 1;
      if (calls > 1 && calls < 10) return html(calls % 2 === 0 ? 200 : 404);
      return path.endsWith('/events') ? NO_EVENTS : record(calls > 10 ? 'confirmed' : 'pending');
    }, hasty);
    expect(outcome(await between.paymentRequests.waitForStatus('pr_1', { timeoutMs: 60_000 }))).toBe('paid');
    calls = 0;
    const known = await agentAt(() => {
      calls += 1;
      return calls === 1 || calls > 4 ? record('confirmed') : html(200);
    }, hasty);
    await known.paymentRequests.get('pr_1');
    expect(outcome(await known.paymentRequests.waitForStatus('pr_1'))).toBe('paid');
  });

  it('ends no wait for an approval, until the invitation itself is over', async () => {
    let calls = 0;
    const { agent } = await agentAt((path) => {
      calls += 1;
      if (calls < 10) return html(502);
      if (!path.endsWith('/exchange'))
        return json(200, { ok: true, connect_invitation: { status: 'approved' } });
      const connected = {
        connection: { connection_id: 'con_1' },
        connection_token: sampleToken('connection'),
      };
      return json(200, { ok: true, ...connected });
    }, hasty);
    expect((await agent.invitations.wait(claimed, { pollMs: 1 })).connection.connection_id).toBe('con_1');
    const expired = {
      ...claimed,
      connect_invitation: { ...claimed.connect_invitation, expires_at: minutesAgo(1) },
    };
    const gone = await agentAt(() => html(502), hasty);
    expect(await caught(gone.agent.invitations.wait(expired))).toMatchObject({ code: 'unexpected_answer' });
  });

  it('ends a wait for an approval when it is to be called again only after the invitation', async () => {
    const { kind, status } = html(503) as { kind: 'answer'; status: number };
    const headers = { 'content-type': 'text/html', 'retry-after': '3600' };
    const { agent } = await agentAt(() => ({ kind, status, headers, body: '' }));
    const ending = {
      ...claimed,
      connect_invitation: { ...claimed.connect_invitation, expires_at: minutesAgo(-10) },
    };
    const error = await caught(agent.invitations.wait(ending, { signal: AbortSignal.timeout(20_000) }));
    expect(error).toMatchObject({ code: 'unexpected_answer', retryAfterMs: 3_600_000 });
  });
});

describe('a machine whose clock is wrong', () => {
  it('judges what a client has read by the clock of the service', async () => {
    const in3h = new Date(Date.now() + 3 * 3_600_000).toUTCString();
    const signed = record('signed', minutesAgo(-30));
    const { paymentRequests } = await agentAt(() => ({
      ...signed,
      headers: { 'content-type': 'application/json', date: in3h },
    }));
    const { payment_request: request } = await paymentRequests.get('pr_1');
    expect([outcome(request), outcome(request, Date.now()), outcome({ ...request })]).toEqual([
      'unknown',
      'waiting',
      'waiting',
    ]);
    expect(await paymentRequests.waitForStatus('pr_1')).toMatchObject({ status: 'signed' });
  });
});
