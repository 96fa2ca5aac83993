import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from './harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('unknown paths and methods', () => {
  it.each(['/v1/payment-intents', '/v1/nothing', '/', '/v1/%E0%A4%A', '/v1/agent-payments-old'])(
    '%s is 404 in the first envelope',
    async (path) => {
      const received = await service.call('GET', path);
      expect(received.status).toBe(404);
      expect(received.body).toMatchObject({ ok: false, error: { code: 'resource_not_found' } });
    },
  );

  it('the second surface has its own envelope, for unknown paths too', async () => {
    const received = await service.call('GET', '/v1/agent-payments/x/nothing');
    expect(received.status).toBe(404);
    expect(received.body).toMatchObject({
      success: false,
      error: { code: 'resource_not_found', details: {} },
    });
    expect(received.body.request_id).toBe(received.headers.get('x-request-id'));
  });

  it('a known path with another method is 405 with Allow', async () => {
    const received = await service.call('POST', '/v1/errors');
    expect(received.status).toBe(405);
    expect(received.headers.get('allow')).toBe('GET, HEAD');
    expect(received.body.error.code).toBe('method_not_allowed');
  });
});

describe('health', () => {
  it('tells what is checked', async () => {
    const received = await service.call('GET', '/health');
    expect(received.status).toBe(200);
    expect(received.body).toMatchObject({
      status: 'ok',
      checks: { database: 'ok' },
      durability: { level: 'safe' },
      networks: ['stellar_testnet'],
    });
  });
});
