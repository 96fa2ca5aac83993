import { rawAnswer } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { SVC_METRICS_TOKEN: 'scrape-me' } });
});
afterAll(() => service.close());

describe('every 401', () => {
  it.each([
    ['GET', '/v1/agents'],
    ['GET', '/v1/payment-requests'],
    ['POST', '/v1/payment-requests'],
    ['GET', '/v1/agent-payments'],
    ['GET', '/v1/wallet-devices'],
    ['GET', '/metrics'],
  ])('names the way to authenticate: %s %s', async (method, path) => {
    for (const bearer of [undefined, 'nonsense']) {
      const received = await service.call(method, path, {
        ...(bearer ? { bearer } : {}),
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect(received.status).toBe(401);
      expect(received.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('of /mcp names the metadata of the resource, which both addresses return', async () => {
    const received = await service.call('POST', '/mcp', { body: {} });
    expect(received.status).toBe(401);
    const path = '/.well-known/oauth-protected-resource';
    expect(received.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${service.url}${path}/mcp"`,
    );
    for (const address of [path, `${path}/mcp`]) {
      const { status, body } = await service.call('GET', address);
      expect([status, body]).toEqual([
        200,
        { resource: `${service.url}/mcp`, bearer_methods_supported: ['header'] },
      ]);
    }
  });
});

describe('problem details', () => {
  const ask = async (path: string, accept: string) => {
    const response = await fetch(service.url + path, { headers: { accept } });
    return { type: response.headers.get('content-type'), body: JSON.parse(await response.text()) };
  };

  it('are the usual body and four members more, on both surfaces', async () => {
    const common = {
      type: `${service.url}/docs/errors#unauthenticated`,
      title: expect.any(String),
      status: 401,
      detail: expect.any(String),
    };
    for (const [path, usual] of [
      ['/v1/agents', { ok: false, error: { code: 'unauthenticated' } }],
      ['/v1/agent-payments', { success: false, error: { code: 'unauthenticated', details: {} } }],
    ] as const) {
      const { type, body } = await ask(path, 'application/problem+json');
      expect(type).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({ ...common, ...usual });
      expect(body.detail).toBe(body.error.message);
      const plain = await ask(path, 'application/problem+json, application/json');
      expect(plain.type).toBe('application/json; charset=utf-8');
      expect(Object.keys(plain.body)).not.toContain('type');
    }
  });

  it('are for errors alone, and for paths that name nothing too', async () => {
    expect((await ask('/v1/errors', 'application/problem+json')).type).toMatch(/^application\/json/);
    expect((await ask('/v1/%E0%A4%A', 'application/problem+json')).body).toMatchObject({
      status: 404,
      error: { code: 'resource_not_found' },
    });
    expect(await rawAnswer(service.url, 'nonsense\r\n\r\n')).toContain('content-type: application/json');
  });
});
