import { type HttpProxy, startHttpProxy, type Treatment } from '@payassent/proof/faults/http-proxy';
import { agentOf, type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import {
  type ClientOptions,
  ConnectionClient,
  isApiError,
  isPayAssentError,
  MerchantClient,
  WalletClient,
} from '@payassent/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock, REAL_TIMEOUT_MS } from './harness/virtual-clock.ts';

let service: TestService;
let world: World;
let proxy: HttpProxy;
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  proxy = await startHttpProxy(service.url);
});
afterEach(() => proxy.close());

function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function options(): ClientOptions {
  return { baseUrl: proxy.url, clock: createVirtualClock(), timeoutMs: REAL_TIMEOUT_MS };
}

function connection(
  extra: Partial<ConstructorParameters<typeof ConnectionClient>[0]> = {},
): ConnectionClient {
  return new ConnectionClient({ ...options(), connectionToken: world.connectionToken, ...extra });
}

function firstTime(treatment: Treatment) {
  return (_: unknown, index: number): Treatment => (index === 0 ? treatment : 'forward');
}

const input = () => ({ recipient_id: world.payee.recipientId, payment: { amount: '7.5' } });

async function countOfRequests(): Promise<number> {
  let count = 0;
  for await (const _ of world.merchant.paymentRequests.each()) count += 1;
  return count;
}

describe('a create whose response is lost', () => {
  it.each(['cut_after_commit', 'cut_in_answer', 'cut_before'] as const)(
    '(%s) is repeated with the same key and finds the one record',
    async (treatment) => {
      proxy.treat(firstTime(treatment));
      const before = await countOfRequests();
      const created = await connection().paymentRequests.create(input());
      expect(await countOfRequests()).toBe(before + 1);
      expect(created.replayed).toBe(treatment !== 'cut_before');
      const keys = proxy.calls.map(({ headers }) => headers['x-idempotency-key']);
      expect(keys).toEqual([created.idempotency_key, created.idempotency_key]);
      expect(new Set(proxy.calls.map(({ body }) => body)).size).toBe(1);
    },
  );

  it('for good: a restarted agent finds its record through the stored key', async () => {
    const store = new Map<string, string>();
    proxy.treat(() => 'cut_after_commit');
    const before = await countOfRequests();
    const first = connection({ store, connectionId: world.connectionId, maxRetries: 1 });
    const lost = await caught(first.paymentRequests.create(input()));
    if (!isPayAssentError(lost) || lost.code !== 'network_error') throw lost;
    expect([lost.attempts, store.size]).toEqual([2, 1]);

    proxy.treat(() => 'forward');
    const restarted = connection({ store, connectionId: world.connectionId });
    const found = await restarted.paymentRequests.create(input());
    expect([found.replayed, await countOfRequests()]).toEqual([true, before + 1]);
    // Its response has arrived, so the next equal body is a separate payment.
    expect(store.size).toBe(0);
    const next = await restarted.paymentRequests.create(input());
    expect([next.replayed, await countOfRequests()]).toEqual([false, before + 2]);
  });

  it('with an intent: the intent leads to one record forever', async () => {
    const store = new Map<string, string>();
    const client = connection({ store });
    const first = await client.paymentRequests.create(input(), { intent: 'order-4711' });
    const again = await client.paymentRequests.create(input(), { intent: 'order-4711' });
    expect(again.payment_request.request_id).toBe(first.payment_request.request_id);
    const other = await client.paymentRequests.create(input(), { intent: 'order-4712' });
    expect(other.payment_request.request_id).not.toBe(first.payment_request.request_id);
  });
});

describe('calls that are not safe to repeat', () => {
  it('a POST without a key is sent once', async () => {
    proxy.treat(() => 'cut_after_commit');
    const lost = await caught(connection().contexts.create({ title: 'once' }));
    expect(isPayAssentError(lost) && lost.code).toBe('network_error');
    expect(proxy.calls).toHaveLength(1);
  });

  it('a PATCH without a version is sent once, one with a version is repeated', async () => {
    const wallet = new WalletClient({ ...options(), deviceToken: world.deviceToken });
    proxy.treat(() => 'cut_after_commit');
    expect(await caught(wallet.connections.pause(world.connectionId))).toMatchObject({ attempts: 1 });
    expect(proxy.calls).toHaveLength(1);
    await world.wallet.connections.resume(world.connectionId);
    proxy.treat(() => 'forward');

    const cookie = world.merchant.sessions.cookie() ?? '';
    const merchant = new MerchantClient({ ...options(), sessionCookie: cookie });
    const { merchant: record } = await merchant.sessions.resume();
    proxy.treat((request, index) =>
      request.method === 'PATCH' && index === 0 ? 'cut_after_commit' : 'forward',
    );
    const change = { name: 'Changed once', version: record.version };
    const conflict = await caught(merchant.organization.update(change));
    // The first attempt was carried out: the retry conflicts with it, and the error points out this possibility.
    if (!isApiError(conflict, 'version_conflict')) throw conflict;
    expect(conflict.earlierAttemptUnknown).toBe(true);
    expect(conflict.details.current_version).toBe(record.version + 1);
    expect((await merchant.organization.get()).merchant.name).toBe('Changed once');
  });

  it('reads and removals are repeated', async () => {
    proxy.treat((_, index) => (index < 2 ? 'cut_after_commit' : 'forward'));
    const { payment_requests } = await connection().paymentRequests.list({ limit: 1 });
    expect(payment_requests).toHaveLength(1);
    expect(proxy.calls).toHaveLength(3);
  });
});

describe('assertions and tokens', () => {
  it('a wrong clock is reported with the time of the service, and not tried again', async () => {
    const clock = createVirtualClock();
    clock.advance(-10 * 60_000);
    const agent = agentOf(service, world.registered, { clock, timeoutMs: REAL_TIMEOUT_MS });
    const skewed = await caught(agent.connections.list());
    if (!isApiError(skewed) || skewed.code !== 'assertion_clock_skew') throw skewed;
    const serverTime: string = skewed.details.server_time;
    expect(Math.abs(Date.parse(serverTime) - Date.now())).toBeLessThan(60_000);
    expect(skewed.attempts).toBe(1);
  });

  it('a repeated jti is reported, and not tried again', async () => {
    const fixed = (length: number) => new Uint8Array(length).fill(9);
    let exchanges = 0;
    const counting = (url: string, init: RequestInit) => {
      exchanges += 1;
      return fetch(url, init);
    };
    const agent = agentOf(service, world.registered, { randomBytes: fixed, fetch: counting });
    await agent.exchangeAssertion();
    const replayed = await caught(agent.exchangeAssertion());
    if (!isApiError(replayed, 'assertion_replayed')) throw replayed;
    expect([replayed.attempts, exchanges]).toEqual([1, 2]);
  });

  it('an exchange whose response is lost is not repeated with the same assertion', async () => {
    const other = await startHttpProxy(service.url);
    other.treat(() => 'cut_after_commit');
    const agent = agentOf({ url: other.url }, world.registered);
    expect(await caught(agent.connections.list())).toMatchObject({ code: 'network_error', attempts: 1 });
    expect(other.calls.map(({ path }) => path)).toEqual(['/v1/agent-auth/token']);
    await other.close();
  });

  it('a token is refreshed before its end, and again when the service finds it expired', async () => {
    const clock = createVirtualClock();
    const paths: string[] = [];
    const recording = (url: string, init: RequestInit) => {
      paths.push(new URL(url).pathname);
      return fetch(url, init);
    };
    const timing = { clock, timeoutMs: REAL_TIMEOUT_MS, fetch: recording };
    const agent = agentOf(service, world.registered, timing);
    const list = '/v1/connections';
    const exchange = '/v1/agent-auth/token';
    await agent.connections.list();
    await agent.connections.list();
    expect(paths.splice(0)).toEqual([exchange, list, list]);

    // The client's clock runs fifty seconds behind: it still believes in the token, the service does not.
    clock.advance(9 * 60_000 + 15_000);
    service.clock.advance(10 * 60_000 + 5000);
    await Promise.all([agent.connections.list(), agent.connections.list()]);
    expect(paths.filter((path) => path === exchange)).toHaveLength(1);
    expect(paths.splice(0).filter((path) => path === list)).toHaveLength(4);

    clock.advance(9 * 60_000 + 40_000);
    service.clock.advance(9 * 60_000);
    await Promise.all([agent.connections.list(), agent.connections.list()]);
    expect(paths.splice(0)).toEqual([exchange, list, list]);
  });
});
