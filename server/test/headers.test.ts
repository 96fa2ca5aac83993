import { request } from 'node:http';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { SVC_BASE_URL: 'https://pay.example' } });
});
afterAll(() => service.close());

const PATHS = [
  '/v1/errors',
  '/v1/merchants/current',
  '/v1/nothing',
  '/portal',
  '/wallet',
  '/verify',
  '/docs',
  '/openapi.json',
  '/health',
  '/metrics',
  '/.well-known/svc-audit-head.json',
  '/.well-known/svc-keys.json',
  '/log/checkpoint',
];

describe('every response', () => {
  it.each(PATHS)(
    'of %s makes browsers use https, run nothing foreign, guess nothing and frame nothing',
    async (path) => {
      const { headers } = await service.call('GET', path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [/default-src 'none'/, /base-uri 'none'/, /frame-ancestors 'none'/])
        expect(policy).toMatch(part);
      expect(policy).not.toMatch(/unsafe-|\*/);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('content-type')).toMatch(/charset=utf-8/i);
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it('of the API, of its front door and of its documentation links the description of the API', async () => {
    const programs = [
      '/v1/errors',
      '/v1/merchants/current',
      '/v1/nothing',
      '/v1/agent-payments',
      '/nothing',
      '/',
    ];
    for (const path of programs) {
      const { headers } = await service.call('GET', path);
      expect([path, headers.get('link')]).toEqual([path, '</openapi.json>; rel="service-desc"']);
    }
    for (const path of ['/', '/docs', '/docs/errors']) {
      const { status, headers } = await service.call('GET', path, { headers: { accept: 'text/html' } });
      expect([path, status, headers.get('link')]).toEqual([path, 200, '</openapi.json>; rel="service-desc"']);
    }
  });

  it('lets no page of another origin in, where none is listed', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const asked = await service.call('OPTIONS', '/v1/errors', { headers });
    expect(asked.status).toBe(405);
    const read = await service.call('GET', '/v1/errors', { headers });
    for (const received of [asked, read]) {
      const names = [...received.headers.keys()];
      expect(names.filter((name) => name.startsWith('access-control') || name === 'vary')).toEqual([]);
    }
  });

  it('of the API is kept by no cache', async () => {
    for (const path of PATHS.filter((one) => one.startsWith('/v1/')))
      expect((await service.call('GET', path)).headers.get('cache-control')).toBe('no-store');
  });

  it('to TRACE repeats nothing of what was sent', async () => {
    const { port } = new URL(service.url);
    const answered = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, method: 'TRACE', path: '/v1/errors', headers: { 'x-secret': 'telltale' } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      sent.on('error', reject).end();
    });
    expect(answered.status).toBeGreaterThanOrEqual(400);
    expect(answered.text).not.toContain('telltale');
  });

  it('never redirects', async () => {
    for (const path of ['/', '/portal', '/portal/', '/wallet', '/docs/', '//pay.example', '/v1'])
      expect([path, (await fetch(`${service.url}${path}`, { redirect: 'manual' })).status]).not.toEqual([
        path,
        expect.toSatisfy((status: number) => status >= 300 && status < 400),
      ]);
  });
});
