import { ConnectionClient, isApiError, isPayAssentError, WalletClient } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import {
  caught,
  json,
  NO_CONNECTIONS,
  refusal,
  SHORT_MS,
  sampleToken,
  scriptedServer,
  setUp,
} from './harness/scripted.ts';

const deviceToken = sampleToken('device');

describe('slow and broken servers', () => {
  it.each([
    ['never answers', { kind: 'never' }],
    ['drips its headers', { kind: 'drip-headers', everyMs: 50 }],
    ['drips its body', { kind: 'drip-body', everyMs: 50 }],
  ] as const)('one that %s is given up in time', async (_, behaviour) => {
    const server = await scriptedServer(behaviour);
    const startedAt = Date.now();
    const error = await caught(
      setUp(server.url, { maxRetries: 1, timeoutMs: SHORT_MS }).wallet.connections.list(),
    );
    expect(isPayAssentError(error) && error.code).toBe('timeout');
    expect(server.requests).toHaveLength(2);
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  });

  it('a time limit holds even for a fetch that ignores its signal', async () => {
    const deaf = () => new Promise<Response>(() => undefined);
    const { options } = setUp('http://127.0.0.1:1', { fetch: deaf, maxRetries: 0, timeoutMs: SHORT_MS });
    const error = await caught(new WalletClient({ ...options, deviceToken }).connections.list());
    expect(isPayAssentError(error) && error.code).toBe('timeout');
  });

  it('a long poll is given its time on top', async () => {
    const page = json(200, { ok: true, events: [], next_cursor: 0, has_more: false });
    const server = await scriptedServer({ ...page, delayMs: SHORT_MS * 2 } as typeof page);
    const connectionToken = sampleToken('connection');
    const client = new ConnectionClient({ baseUrl: server.url, connectionToken, timeoutMs: SHORT_MS });
    const answer = await client.paymentRequests.listEvents({ wait: 1 });
    expect(answer.events).toEqual([]);
    expect(isPayAssentError(await caught(client.paymentRequests.listEvents({}, { maxRetries: 0 })))).toBe(
      true,
    );
  });

  it.each([
    ['bytes that are no HTTP', { kind: 'garbage' }, 'network_error'],
    [
      'HTML',
      { kind: 'answer', headers: { 'content-type': 'text/html' }, body: '<html>' },
      'unexpected_answer',
    ],
    [
      'broken JSON',
      { kind: 'answer', headers: { 'content-type': 'application/json' }, body: '{"ok":' },
      'unexpected_answer',
    ],
    ['another JSON', json(200, [1, 2]), 'unexpected_answer'],
    ['no envelope', json(200, { connections: [], next_cursor: null }), 'unexpected_answer'],
    ['a success without its members', json(200, { ok: true }), 'unexpected_answer'],
    ['a failure that says 200', json(200, { ok: false, error: { code: 'x' } }), 'unexpected_answer'],
    ['a connection cut inside the answer', { kind: 'reset', when: 'in-body' }, 'network_error'],
  ] as const)('%s is no response', async (_, behaviour, code) => {
    const server = await scriptedServer(behaviour);
    const { wallet } = setUp(server.url, { maxRetries: 0 });
    const error = await caught(wallet.connections.list());
    expect(isPayAssentError(error) && error.code).toBe(code);
  });

  it('more than memory should hold is given up while it is read', async () => {
    const server = await scriptedServer({ kind: 'huge-body', bytes: 20 * 1024 * 1024 });
    const error = await caught(setUp(server.url, { maxRetries: 0 }).wallet.connections.list());
    expect(error).toMatchObject({ code: 'unexpected_answer', message: expect.stringContaining('too large') });
  });

  it('a redirect is not followed: the credential stays with the address it was given for', async () => {
    const elsewhere = await scriptedServer(NO_CONNECTIONS);
    const server = await scriptedServer({ kind: 'redirect', location: `${elsewhere.url}/v1/connections` });
    const error = await caught(setUp(server.url).wallet.connections.list());
    expect(isPayAssentError(error) && error.code).toBe('unexpected_answer');
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('an error with a code of tomorrow keeps its name', async () => {
    const server = await scriptedServer(refusal(409, 'invented_later'));
    const error = await caught(setUp(server.url).wallet.connections.list());
    if (!isApiError(error, 'unknown_code')) throw error;
    expect([error.serverCode, error.httpStatus, error.recovery]).toEqual(['invented_later', 409, undefined]);
  });
});
