import { paymentStage } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const APP = 'https://app.example';
const STRANGER = 'https://evil.example';

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { SVC_CORS_ORIGINS: `${APP},http://localhost:3000` } });
});
afterAll(() => service.close());

/** The preflight request that a browser sends before a call. */
const preflight = (path: string, origin: string, method = 'POST') =>
  service.call('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

const allowed = (headers: Headers) => headers.get('access-control-allow-origin');

describe('a page of a listed origin', () => {
  it.each(['/v1/payment-requests', '/v1/payment-requests/some', '/mcp', '/v1/agent-payments'])(
    'learns that it may call %s, with what and how',
    async (path) => {
      const { status, headers, text } = await preflight(path, APP);
      expect([status, text]).toEqual([204, '']);
      expect(allowed(headers)).toBe(APP);
      expect(headers.get('vary')).toBe('origin');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const methods = headers.get('access-control-allow-methods')?.split(', ') ?? [];
      expect(methods).toContain(path.endsWith('some') ? 'GET' : 'POST');
      const taken = headers.get('access-control-allow-headers')?.split(', ') ?? [];
      for (const name of ['authorization', 'content-type', 'idempotency-key', 'dpop'])
        expect(taken).toContain(name);
    },
  );

  it('reads successes, refusals, documents and its request id, and never with cookies', async () => {
    for (const path of [
      '/v1/errors',
      '/v1/agents',
      '/v1/nothing',
      '/openapi.json',
      '/.well-known/svc-keys.json',
    ]) {
      const { headers } = await service.call('GET', path, { headers: { origin: APP } });
      expect([path, allowed(headers)]).toEqual([path, APP]);
      expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toContain('origin');
    }
  });

  it('uses the API and the tools with a token', async () => {
    const stage = await paymentStage(service);
    const headers = { origin: APP, 'sec-fetch-site': 'cross-site' };
    const read = await service.call('GET', '/v1/connections/current', {
      bearer: stage.connectionToken,
      headers,
    });
    expect([read.status, allowed(read.headers)]).toEqual([200, APP]);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const listed = await service.call('POST', '/mcp', {
      bearer: stage.connectionToken,
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: call,
    });
    expect([listed.status, allowed(listed.headers)]).toEqual([200, APP]);
  });

  it('cannot use the session of a team member who views it', async () => {
    const { session } = (await paymentStage(service)).merchant;
    const headers = { origin: APP, 'sec-fetch-site': 'cross-site' };
    const body = { name: 'Made from elsewhere' };
    const forged = await service.call('POST', '/v1/agents', { session, headers, body });
    expect([forged.status, forged.body.error.code]).toEqual([403, 'csrf_invalid']);
    const opened = await service.call('POST', '/v1/merchant-sessions', {
      headers,
      body: { next_grant: 'x' },
    });
    expect([opened.status, opened.body.error.code]).toEqual([403, 'csrf_invalid']);
  });
});

describe('a page of any other origin', () => {
  it('gets nothing that would let its browser call or read', async () => {
    for (const origin of [
      STRANGER,
      'null',
      'https://app.example.evil.example',
      'http://app.example',
      `${APP}/`,
    ]) {
      const asked = await preflight('/v1/payment-requests', origin);
      expect([asked.status, allowed(asked.headers)]).toEqual([405, null]);
      const read = await service.call('GET', '/v1/errors', { headers: { origin } });
      expect([read.status, allowed(read.headers)]).toEqual([200, null]);
      // A cache must not show one caller what was meant for another.
      expect(read.headers.get('vary')).toBe('origin');
    }
    expect(allowed((await preflight('/v1/nothing', APP)).headers)).toBe(APP);
    const stage = await paymentStage(service);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const refused = await service.call('POST', '/mcp', {
      bearer: stage.connectionToken,
      headers: { origin: STRANGER },
      body: call,
    });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'csrf_invalid']);
  });

  it('names two origins in one header: none of them counts', async () => {
    const { headers } = await service.call('GET', '/v1/errors', { headers: { origin: `${APP}, ${APP}` } });
    expect(allowed(headers)).toBeNull();
  });
});
