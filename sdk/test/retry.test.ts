import { ApiError, ConnectionClient, isApiError, WalletClient } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import {
  caught,
  json,
  NO_CONNECTIONS,
  refusal,
  sampleToken,
  scriptedServer,
  setUp,
} from './harness/scripted.ts';

const deviceToken = sampleToken('device');

describe('repetition', () => {
  it('waits at least as long as the service requires, with jitter on top', async () => {
    const server = await scriptedServer(
      refusal(429, 'rate_limited', { 'retry-after': '7' }),
      refusal(503, 'unavailable', { 'retry-after': '2' }),
      NO_CONNECTIONS,
    );
    const { wallet, retries } = setUp(server.url);
    expect((await wallet.connections.list()).connections).toEqual([]);
    expect(retries.map(({ code, call }) => [code, call])).toEqual([
      ['rate_limited', 'GET /v1/connections'],
      ['unavailable', 'GET /v1/connections'],
    ]);
    const [first = 0, second = 0] = retries.map(({ delayMs }) => delayMs);
    expect(first).toBeGreaterThan(7000);
    expect(first).toBeLessThanOrEqual(8000);
    expect(second).toBeGreaterThan(2000);
  });

  it('backs off longer each time and leaves half of it to chance', async () => {
    const delaysWith = async (byte: number) => {
      const server = await scriptedServer(refusal(503, 'unavailable'));
      const randomBytes = (length: number) => new Uint8Array(length).fill(byte);
      const { wallet, retries } = setUp(server.url, { randomBytes, maxRetries: 7 });
      const error = await caught(wallet.connections.list());
      expect(isApiError(error, 'unavailable') && error.attempts).toBe(8);
      return retries.map(({ delayMs }) => delayMs);
    };
    expect(await delaysWith(0)).toEqual([125, 250, 500, 1000, 2000, 4000, 4000]);
    expect(await delaysWith(255)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
  });

  it('waits as long as it may when the service requests exactly that, chance not counted', async () => {
    const server = await scriptedServer(
      refusal(503, 'unavailable', { 'retry-after': '60' }),
      refusal(503, 'unavailable'),
      NO_CONNECTIONS,
    );
    const { wallet, retries } = setUp(server.url, { maxRetryDelayMs: 60_000 });
    await wallet.connections.list();
    expect(retries[0]?.delayMs).toBeGreaterThan(60_000);
    const brief = await scriptedServer(refusal(503, 'unavailable'), NO_CONNECTIONS);
    const second = setUp(brief.url, { maxRetryDelayMs: 10 });
    await second.wallet.connections.list();
    expect(second.retries.map(({ delayMs }) => delayMs)).toEqual([10]);
  });

  it.each([
    [503, 'unavailable', true],
    [429, 'rate_limited', false],
  ])(
    'states after %i %s whether an earlier attempt may have been carried out',
    async (status, code, unknown) => {
      const server = await scriptedServer(refusal(status, code), refusal(404, 'resource_not_found'));
      const error = await caught(setUp(server.url).wallet.connections.list());
      expect(error).toMatchObject({ code: 'resource_not_found', earlierAttemptUnknown: unknown });
    },
  );

  it('gives up immediately when the service requests more than the client may wait', async () => {
    const server = await scriptedServer(refusal(429, 'rate_limited', { 'retry-after': '3600' }));
    const { wallet, clock } = setUp(server.url);
    const error = await caught(wallet.connections.list());
    if (!isApiError(error, 'rate_limited')) throw error;
    expect(error.retryAfterMs).toBe(3_600_000);
    expect([server.requests.length, clock.waits.length]).toEqual([1, 0]);
  });

  it('reads Retry-After as a date too, and passes over one it cannot read', async () => {
    const at = new Date(Date.now() + 20_000).toUTCString();
    const server = await scriptedServer(
      refusal(503, 'unavailable', { 'retry-after': at }),
      refusal(503, 'unavailable', { 'retry-after': 'soon' }),
      NO_CONNECTIONS,
    );
    const { wallet, retries } = setUp(server.url);
    await wallet.connections.list();
    expect(retries[0]?.delayMs).toBeGreaterThan(17_000);
    expect(retries[1]?.delayMs).toBeLessThan(1000);
  });

  it.each([
    [400, 'validation_failed'],
    [401, 'token_revoked'],
    [403, 'connection_paused'],
    [404, 'resource_not_found'],
    [409, 'version_conflict'],
  ])('does not follow a %i %s', async (status, code) => {
    const server = await scriptedServer(refusal(status, code));
    const error = await caught(setUp(server.url).wallet.connections.list());
    expect(error).toBeInstanceOf(ApiError);
    expect([(error as ApiError).code, server.requests.length]).toEqual([code, 1]);
  });

  const html = (status: number) => ({
    kind: 'answer' as const,
    status,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Back soon</h1>',
  });

  it('passes through a proxy that returns 502, 503 or 504 in HTML, and a failure that may be retried', async () => {
    for (const failure of [html(502), html(503), html(504), refusal(500, 'internal_error')]) {
      const server = await scriptedServer(failure, NO_CONNECTIONS);
      await setUp(server.url).wallet.connections.list();
      expect(server.requests).toHaveLength(2);
    }
    for (const final of [html(200), html(403), html(500), refusal(500, 'code_from_tomorrow')]) {
      const server = await scriptedServer(final);
      await caught(setUp(server.url).wallet.connections.list());
      expect(server.requests).toHaveLength(1);
    }
  });

  it('sends a create again with its key, and a POST without one never', async () => {
    const made = json(201, { ok: true, payment_request: { request_id: 'pr_1' } });
    const payment = { recipient_id: 'rcp_1', payment: { amount: '1' } };
    for (const failure of [html(502), html(504), refusal(500, 'internal_error')]) {
      const server = await scriptedServer(failure, made);
      const client = new ConnectionClient({
        ...setUp(server.url).options,
        connectionToken: sampleToken('connection'),
      });
      await client.paymentRequests.create(payment);
      const keys = server.requests.map(({ headers }) => headers['x-idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);

      const other = await scriptedServer(failure);
      const error = await caught(setUp(other.url).wallet.devices.createLinkCode());
      expect(other.requests).toHaveLength(1);
      expect(error).toMatchObject({ mayBeStored: true });
    }
  });

  it('never reports for a read that something may be stored', async () => {
    for (const failure of [
      { kind: 'reset', when: 'before-headers' } as const,
      html(502),
      refusal(500, 'internal_error'),
    ]) {
      const server = await scriptedServer(failure);
      expect(await caught(setUp(server.url).wallet.connections.list())).toMatchObject({ mayBeStored: false });
    }
  });

  it('can be switched off, for the client and for one call', async () => {
    const server = await scriptedServer({ kind: 'reset', when: 'before-headers' });
    await caught(setUp(server.url, { maxRetries: 0 }).wallet.connections.list());
    await caught(setUp(server.url).wallet.connections.list({}, { maxRetries: 0 }));
    expect(server.requests).toHaveLength(2);
  });
});

describe('numbers of one call', () => {
  it('are checked like those of the client', async () => {
    const server = await scriptedServer(NO_CONNECTIONS);
    const { wallet } = setUp(server.url);
    for (const wrong of [{ timeoutMs: Number.NaN }, { timeoutMs: 0 }, { maxRetries: -1 }])
      expect(await caught(wallet.connections.list({}, wrong))).toBeInstanceOf(TypeError);
    expect(server.requests).toHaveLength(0);
  });

  it('may be longer than a timer can hold', async () => {
    const slow = { ...NO_CONNECTIONS, delayMs: 100 } as typeof NO_CONNECTIONS;
    const server = await scriptedServer(slow);
    const wallet = new WalletClient({ baseUrl: server.url, deviceToken, maxRetries: 0 });
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31])
      expect((await wallet.connections.list({}, { timeoutMs })).connections).toEqual([]);
  });
});

describe('rate limits', () => {
  it('are known after a response and waited for before they are run into', async () => {
    const full = { ratelimit: '"reads";r=0;t=9', 'ratelimit-policy': '"reads";q=600;w=60' };
    const body = { ok: true, connections: [], next_cursor: null };
    const server = await scriptedServer(json(200, body, full), NO_CONNECTIONS);
    const { wallet, clock } = setUp(server.url);
    await wallet.connections.list();
    expect(wallet.rateLimits).toMatchObject([{ name: 'reads', remaining: 0, quota: 600, windowMs: 60_000 }]);
    await wallet.connections.list();
    expect(clock.waits).toHaveLength(1);
    expect(clock.waits[0]).toBeGreaterThan(8000);
    // The window is over: nothing is known, and nothing is waited for.
    expect(wallet.rateLimits).toEqual([]);
  });

  it('that are malformed are passed over', async () => {
    const body = { ok: true, connections: [], next_cursor: null };
    const server = await scriptedServer(json(200, body, { ratelimit: 'reads;r=x;t' }));
    const { wallet } = setUp(server.url);
    await wallet.connections.list();
    expect(wallet.rateLimits).toEqual([]);
  });
});

describe('abort', () => {
  it('ends a call, and a wait between two attempts, with the reason of the signal', async () => {
    const server = await scriptedServer({ kind: 'never' });
    const during = new AbortController();
    const reason = new Error('changed my mind');
    const call = setUp(server.url).wallet.connections.list({}, { signal: during.signal });
    setTimeout(() => during.abort(reason), 50);
    expect(await caught(call)).toBe(reason);

    const busy = await scriptedServer(refusal(503, 'unavailable', { 'retry-after': '30' }));
    const between = new AbortController();
    const wallet = new WalletClient({ baseUrl: busy.url, deviceToken, onRetry: () => between.abort(reason) });
    expect(await caught(wallet.connections.list({}, { signal: between.signal }))).toBe(reason);
    expect(busy.requests).toHaveLength(1);

    const before = caught(wallet.connections.list({}, { signal: AbortSignal.abort(reason) }));
    expect(await before).toBe(reason);
    expect(busy.requests).toHaveLength(1);
  });
});
