import { signUp, verifiedMerchant } from '@payassent/proof/people/merchants';
import { deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { rawAnswer, type Sent } from '@payassent/proof/service/client';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import type { Issue } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

  it('an empty part of a path names nothing, with or without a credential', async () => {
    for (const path of ['/v1/agents/', '/v1/agents//credentials', '/v1/agent-payments/'])
      expect((await service.call('GET', path)).status, path).toBe(404);
  });

  it('a target may be a whole address, and write letters by their numbers', async () => {
    const ask = async (line: string) => {
      const host = line.includes('://') ? new URL(service.url).host : 'x';
      const text = await rawAnswer(
        service.url,
        `${line} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
      );
      const [, status, body = ''] = /^HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
      return `${status} ${'ok' in JSON.parse(body) ? 'first' : 'second'}`;
    };
    expect(await ask(`GET ${service.url}/v1/agent-payments`)).toBe('401 second');
    expect(await ask('GET /v1/agent%2Dpayments')).toBe('401 second');
    expect(await ask(`PUT ${service.url}/v1/agents`)).toBe('405 first');
    expect(await ask('PUT /v1/%61gents')).toBe('405 first');
    expect(await ask('GET /v1/agents%2F')).toBe('404 first');
  });
});

describe('the framing of a response', () => {
  const rawOf = (...requests: string[]) =>
    rawAnswer(service.url, requests.map((lines) => lines.replaceAll('\n', '\r\n')).join(''));
  const statusesOf = (text: string) =>
    [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  const REGISTER = 'POST /v1/merchant-accounts/registrations HTTP/1.1\nhost: x\n';

  it('HEAD has the headers of GET and no body', async () => {
    for (const path of ['/v1/errors', '/openapi.json', '/v1/nothing']) {
      const [got, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(`${service.url}${path}`, { method })),
      );
      expect([path, head?.status]).toEqual([path, got?.status]);
      expect(head?.headers.get('content-type')).toBe(got?.headers.get('content-type'));
      expect(await head?.text()).toBe('');
    }
  });

  it('OPTIONS names the methods and opens nothing to other origins', async () => {
    const received = await service.call('OPTIONS', '/v1/errors', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect([received.status, received.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(received.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('requests on one connection are served in order, whatever their bodies', async () => {
    const text = await rawOf(
      'GET /v1/nothing HTTP/1.1\nhost: x\n\n',
      'POST /v1/nothing HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: 7\n\n{"a":1}',
      'HEAD /v1/errors HTTP/1.1\nhost: x\nconnection: close\n\n',
    );
    expect(statusesOf(text)).toEqual([404, 404, 200]);
  });

  it('a body that is too large ends the connection, by its length or as it comes', async () => {
    const json = 'content-type: application/json\n';
    for (const text of await Promise.all([
      rawOf(`${REGISTER}${json}content-length: 65537\n\n`),
      rawOf(`${REGISTER}${json}transfer-encoding: chunked\n\n10001\n${' '.repeat(65_537)}\n0\n\n`),
    ])) {
      expect(statusesOf(text)).toEqual([413]);
      expect(text).toMatch(/\r\nconnection: close\r\n/i);
    }
  });

  it('what is no media type is 415, with a body and without', async () => {
    for (const type of ['nonsense', '']) {
      const head = `${REGISTER}content-type: ${type}\nconnection: close\n`;
      expect(statusesOf(await rawOf(`${head}content-length: 2\n\n{}`))).toEqual([415]);
      expect(statusesOf(await rawOf(`${head}content-length: 0\n\n`))).toEqual([415]);
    }
  });

  it('a caller that expects 100 may continue; any other expectation is 417', async () => {
    const head = `${REGISTER}content-type: application/json\ncontent-length: 2\nconnection: close\n`;
    expect(statusesOf(await rawOf(`${head}expect: 100-continue\n\n{}`))).toEqual([100, 400]);
    expect(statusesOf(await rawOf(`${head}expect: 200-ok\n\n{}`))).toEqual([417]);
  });
});

describe('a request that names two hosts', () => {
  const statusOf = async (target: string, ...hosts: string[]) => {
    const lines = hosts.map((host) => `host: ${host}\r\n`).join('');
    const text = await rawAnswer(service.url, `GET ${target} HTTP/1.1\r\n${lines}connection: close\r\n\r\n`);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  };

  it('is 400 with two Host headers, equal ones too, on calls, pages and probes', async () => {
    const { host } = new URL(service.url);
    for (const path of ['/v1/errors', '/health', '/v1/nothing']) {
      expect(await statusOf(path, host, 'evil.example'), path).toBe(400);
      expect(await statusOf(path, host, host), path).toBe(400);
    }
    expect(await statusOf('/v1/errors', host)).toBe(200);
  });

  it('is 400 when the authority of the target is not that of the Host header', async () => {
    const { host } = new URL(service.url);
    for (const authority of ['evil.example', `${host}0`, `user@${host}`, ''])
      expect(await statusOf(`http://${authority}/v1/errors`, host), authority).toBe(400);
    expect(await statusOf(`http://${host}/v1/errors`, 'evil.example')).toBe(400);
    expect(await statusOf(`HTTP://${host.toUpperCase()}/v1/errors`, host)).toBe(200);
  });
});

describe('health', () => {
  it('lists what is checked', async () => {
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

describe('metrics', () => {
  it('a configured token is needed; the scheme is read without case, the token exactly', async () => {
    const guarded = await serviceForTest({ env: { SVC_METRICS_TOKEN: 'scrape-me' } });
    const statuses = await Promise.all(
      [
        undefined,
        'Bearer scrape-me',
        'bearer scrape-me',
        'Bearer SCRAPE-ME',
        'Bearer scrape-m',
        'scrape-me',
      ].map(
        async (authorization) =>
          (await guarded.call('GET', '/metrics', authorization ? { headers: { authorization } } : {})).status,
      ),
    );
    expect(statuses).toEqual([401, 200, 200, 401, 401, 401]);
  });
});

describe('a public base URL', () => {
  const PUBLIC = { SVC_BASE_URL: 'https://pay.example', SVC_TRUSTED_PROXIES: 'none' };

  it('keeps /metrics closed until a token is configured', async () => {
    const open = await serviceForTest({ env: PUBLIC });
    const answer = await open.call('GET', '/metrics', { headers: { authorization: 'Bearer guess' } });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthenticated']);
    const guarded = await serviceForTest({ env: { ...PUBLIC, SVC_METRICS_TOKEN: 'scrape-me' } });
    const headers = { authorization: 'Bearer scrape-me' };
    expect((await guarded.call('GET', '/metrics', { headers })).status).toBe(200);
  });

  it('is the only public name of the service', async () => {
    const named = await serviceForTest({ env: PUBLIC });
    expect(await statusUnder(named.url, 'pay.example', '/v1/errors')).toBe(200);
    expect(await statusUnder(named.url, 'PAY.example.:8443', '/v1/errors')).toBe(200);
    for (const host of [
      'evil.example',
      'pay.example.evil.example',
      'xpay.example',
      'pay.example@evil.example',
    ])
      expect(await statusUnder(named.url, host, '/v1/errors'), host).toBe(404);
  });
});

const statusUnder = async (url: string, host: string, path: string): Promise<number> => {
  const text = await rawAnswer(url, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
};

describe('a name that someone pointed at a laptop', () => {
  it.each(['/v1/errors', '/portal', '/docs', '/openapi.json'])('reaches nothing of %s', async (path) => {
    expect(await statusUnder(service.url, 'rebound.example:8787', path)).toBe(404);
    for (const host of [
      '127.0.0.1',
      '[::1]:8787',
      'localhost:1',
      'wallet.localhost',
      '192.0.2.1:80',
      'service',
    ])
      expect(await statusUnder(service.url, host, path), host).toBe(200);
  });

  it('may request health, as probes do', async () => {
    for (const path of ['/health', '/metrics', '/health?from=probe'])
      expect(await statusUnder(service.url, 'pod-7.cluster.example', path), path).toBe(200);
    expect(await statusUnder(service.url, 'pod-7.cluster.example', '/healthy')).toBe(404);
  });
});

describe('security.txt', () => {
  it('states where to report, until when, under which policy, and where it belongs', async () => {
    const { status, headers, text } = await service.call('GET', '/.well-known/security.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/) as [string, string]),
    );
    expect(fields.get('Contact')).toBe('mailto:security@127.0.0.1');
    expect(fields.get('Canonical')).toBe(`${service.url}/.well-known/security.txt`);
    const days = (Date.parse(fields.get('Expires') ?? '') - service.clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(366);
    const policy = (fields.get('Policy') ?? '').replace(service.url, '');
    expect((await service.call('GET', policy)).text).toContain('privately');
  });

  it('names the contact that is configured', async () => {
    const named = await serviceForTest({ env: { SVC_SECURITY_CONTACT: 'https://pay.example/report' } });
    const { text } = await named.call('GET', '/.well-known/security.txt');
    expect(text).toMatch(/^Contact: https:\/\/pay\.example\/report$/m);
  });
});

describe('query parameters', () => {
  let session: { cookie: string; csrf: string };
  beforeAll(async () => {
    ({ session } = await signUp(service));
  });

  it.each([
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=101', 'limit', 'out_of_range'],
    ['limit=9999999999999999999999', 'limit', 'out_of_range'],
    ['limit=1.5', 'limit', 'invalid_type'],
    ['limit=', 'limit', 'invalid_type'],
    ['limit=5&limit=6', 'limit', 'invalid_type'],
    ['merchant_id=x', 'merchant_id', 'identity_field_forbidden'],
  ])('%s is refused with %s %s', async (query, field, code) => {
    const received = await service.call('GET', `/v1/audit-events?${query}`, { session });
    expect(received.status).toBe(400);
    expect(received.body.error).toMatchObject({ code: 'validation_failed', field });
    expect(received.body.error.issues).toMatchObject([{ field, code }]);
  });

  it.each(['x', '%00', 'W10', 'a&cursor=b', 'e30'])('cursor=%s is invalid_cursor', async (cursor) => {
    const received = await service.call('GET', `/v1/audit-events?cursor=${cursor}`, { session });
    expect([received.status, received.body.error.code]).toEqual([400, 'invalid_cursor']);
  });

  it.each([8.64e15, 253_402_300_800_000, -1, 1.5])('nor is a place at %d ms', async (time) => {
    const cursor = Buffer.from(JSON.stringify([time, 'x'])).toString('base64url');
    const received = await service.call('GET', `/v1/audit-events?cursor=${cursor}`, { session });
    expect([received.status, received.body.error.code]).toEqual([400, 'invalid_cursor']);
  });

  const refusedWith = async (path: string, sent: Sent = {}) => {
    const { status, body } = await service.call(path.split(' ')[0] ?? '', path.split(' ')[1] ?? '', sent);
    return {
      status,
      issues: body.error?.issues?.map(({ field, code, message }: Issue) => [field, code, message]),
    };
  };

  it('an unknown parameter is refused with the nearest known one, or with all of them', async () => {
    expect(await refusedWith('GET /v1/audit-events?limt=5', { session })).toEqual({
      status: 400,
      issues: [['limt', 'unknown_field', 'limt is not a query parameter of this call: did you mean limit?']],
    });
    const { issues } = await refusedWith('GET /v1/audit-events?surprise=1&Cursor=x', { session });
    expect(issues).toHaveLength(2);
    expect(issues[0][2]).toMatch(/^surprise is not .*: it takes limit, cursor, type, target_id\.$/);
    expect(issues[1][2]).toMatch(/did you mean cursor\?$/);
    const none = await refusedWith('GET /v1/merchants/current?surprise=1', { session });
    expect(none.issues[0][2]).toMatch(/: it takes none\.$/);
  });

  it('unknown parameters are named after the credential, on calls without one and with a body too', async () => {
    for (const path of ['/v1/audit-events', '/v1/payment-requests', '/v1/agent-payments'])
      expect((await service.call('GET', `${path}?surprise=1`)).status, path).toBe(401);
    expect(await refusedWith('GET /v1/errors?surprise=1')).toMatchObject({ status: 400 });
    expect(await refusedWith('POST /v1/merchant-sessions?surprise=1', { body: {} })).toMatchObject({
      issues: expect.arrayContaining([['surprise', 'unknown_field', expect.any(String)]]),
    });
  });

  it('device_id and token are parameters only where a wallet may send its credential in the query', async () => {
    const own = await enrolDevice(service);
    const credential = `device_id=${own.device_id}&token=${own.token}`;
    expect((await service.call('GET', `/v1/wallet-devices?${credential}`)).status).toBe(200);
    expect(await refusedWith(`GET /v1/audit-events?${credential}`, { session })).toMatchObject({
      status: 400,
      issues: [
        ['device_id', 'unknown_field', expect.any(String)],
        ['token', 'unknown_field', expect.any(String)],
      ],
    });
    expect(
      await refusedWith(`POST /v1/wallet-devices/link-codes?${credential}`, { device: deviceOf(own) }),
    ).toMatchObject({ status: 400 });
  });

  it('a member of the wrong type is not called missing as well', async () => {
    const received = await service.call('POST', '/v1/merchant-sessions', { body: { next_grant: 1 } });
    expect(received.body.error.issues).toMatchObject([{ field: 'next_grant', code: 'invalid_type' }]);
    expect(received.body.error.issues).toHaveLength(1);
  });

  it('a version that never was, or is beyond every integer, is a conflict', async () => {
    const merchant = await verifiedMerchant(service);
    for (const version of [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e30]) {
      const received = await service.call('PATCH', '/v1/merchants/current', {
        session: merchant.session,
        body: { name: 'X', version },
      });
      expect([version, received.status, received.body.error.code]).toEqual([
        version,
        409,
        'version_conflict',
      ]);
      expect(received.body.error.details).toEqual({ current_version: 2 });
    }
  });
});

describe('issues of a list', () => {
  it('a faulty item hides neither its neighbours nor itself', async () => {
    const merchant = await verifiedMerchant(service);
    const body = {
      name: 'A',
      runtime: 'r',
      environment: 'e',
      allowed_scopes: ['payment.requests.read', 'x', 1],
    };
    const received = await service.call('POST', '/v1/agents', { session: merchant.session, body });
    expect(received.body.error.issues).toMatchObject([
      { field: 'allowed_scopes[2]', code: 'invalid_type' },
      { field: 'allowed_scopes[1]', code: 'scope_unknown' },
    ]);
  });
});
