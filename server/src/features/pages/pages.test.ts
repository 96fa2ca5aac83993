import { get, type IncomingMessage } from 'node:http';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService({ jobs: false });
});
afterAll(() => service.close());

function directive(policy: string, name: string): string | undefined {
  return policy.split('; ').find((part) => part.startsWith(`${name} `));
}

it.each([
  ['/portal', "connect-src 'self'", 'camera=()'],
  ['/portal/recipients/anything', "connect-src 'self'", 'camera=()'],
  ['/wallet', "connect-src 'self' https://horizon-testnet.stellar.org", 'camera=(self)'],
])('%s runs its own files and speaks to no one it need not', async (path, connect, camera) => {
  const { status, headers } = await service.call('GET', path);
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy') ?? '';
  expect(directive(policy, 'default-src')).toBe("default-src 'none'");
  expect(directive(policy, 'script-src')).toBe("script-src 'self'");
  expect(directive(policy, 'style-src')).toBe("style-src 'self'");
  expect(directive(policy, 'connect-src')).toBe(connect);
  expect(headers.get('permissions-policy')).toContain(camera);
  expect(headers.get('cache-control')).toBe('no-cache');
});

it('files whose names change with their content are kept, others requested, unknown ones absent', async () => {
  const { text } = await service.call('GET', '/wallet');
  const asset = /src="(\/web\/assets\/[^"]+)"/.exec(text)?.[1] ?? '';
  const kept = await service.call('GET', asset);
  expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await service.call('GET', '/web/icon.svg')).headers.get('cache-control')).toBe('no-cache');
  for (const path of [
    '/web/nothing.js',
    '/web/.build-stamp',
    '/web/icon.svg.br',
    '/web/..%2f..%2fpackage.json',
  ])
    expect((await service.call('GET', path)).status, path).toBe(404);
});

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['identity', null],
])('sends to a browser that takes %s the smallest form that it takes', async (takes, expected) => {
  const { text } = await service.call('GET', '/wallet');
  const asset = /src="(\/web\/assets\/[^"]+)"/.exec(text)?.[1] ?? '';
  const sent = await service.call('GET', asset, { headers: { 'accept-encoding': takes } });
  expect(sent.headers.get('content-encoding')).toBe(expected);
  expect(sent.headers.get('vary')).toContain('accept-encoding');
  expect(sent.text).toBe((await service.call('GET', asset)).text);
});

it('gives the wallet only what is public about this installation', async () => {
  const { body } = await service.call('GET', '/web/settings.json');
  expect(Object.keys(body).sort()).toEqual(['base_url', 'horizon_url']);
});

it('shows people three doors at the root, and returns 404 to programs', async () => {
  const people = await service.call('GET', '/', {
    headers: { accept: 'text/html,application/xhtml+xml;q=0.9' },
  });
  expect(people.status).toBe(200);
  for (const door of ['/portal', '/wallet', '/docs']) expect(people.text).toContain(`href="${door}"`);
  expect(people.text).not.toContain('<script');
  for (const accept of ['application/json', '*/*']) {
    const program = await service.call('GET', '/', { headers: { accept } });
    expect(program.status).toBe(404);
    expect(program.body.error.code).toBe('resource_not_found');
  }
});

it.each([
  ['de-AT,de;q=0.9,en;q=0.8', '/', 'de'],
  ['en-GB,en;q=0.9,de;q=0.8', '/', 'en'],
  ['fr,en;q=0.3,de;q=0.4', '/', 'de'],
  ['de;q=0', '/', 'en'],
  ['den, fr', '/', 'en'],
  [undefined, '/', 'en'],
  ['en', '/?lang=de', 'de'],
  ['de', '/?lang=en', 'en'],
])('opens to a browser that requests %s at %s in %s', async (asked, path, language) => {
  const headers = { accept: 'text/html', ...(asked === undefined ? {} : { 'accept-language': asked }) };
  const page = await service.call('GET', path, { headers });
  expect(page.text).toContain(`<html lang="${language}">`);
  expect(page.headers.get('vary')).toContain('accept-language');
});

it('has an icon for every page', async () => {
  const icon = await service.call('GET', '/favicon.ico');
  expect(icon.status).toBe(200);
  expect(icon.headers.get('content-type')).toBe('image/svg+xml');
});

it.each([
  ['/nope', 'en', 'There is no such page'],
  ['/docs/nope', 'en', 'There is no such page'],
  ['/nope', 'de', 'Diese Seite gibt es nicht'],
])(
  'shows people at %s in %s that there is no such page, and programs an error in their form',
  async (path, language, title) => {
    const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': language };
    const people = await service.call('GET', path, { headers });
    expect(people.status).toBe(404);
    expect(people.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(people.text).toContain(`<h1>${title}</h1>`);
    for (const way of ['/wallet', '/portal', '/docs', '/verify'])
      expect(people.text).toContain(`href="${way}"`);
    const program = await service.call('GET', path, { headers: { accept: '*/*' } });
    expect([program.status, program.body.error.code]).toEqual([404, 'resource_not_found']);
  },
);

it('keeps to the form of programs where only programs call', async () => {
  const headers = { accept: 'text/html' };
  for (const path of ['/v1/nope', '/web/nope.js', '/.well-known/nope'])
    expect((await service.call('GET', path, { headers })).body.error.code, path).toBe('resource_not_found');
  expect((await service.call('POST', '/nope', { headers, body: {} })).status).toBe(404);
  expect((await service.call('GET', '/v1/agent-auth/token', { headers })).status).toBe(405);
});

it('lets the verifier load the published keys from its origin, and nothing else', async () => {
  const policyAt = async (host: string) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${service.url}/verify`, { headers: { host } }, resolve).on('error', reject),
    );
    response.resume();
    return directive(String(response.headers['content-security-policy']), 'connect-src');
  };
  expect(await policyAt('localhost:8080')).toBe('connect-src localhost:8080/.well-known/svc-keys.json');
  expect(await policyAt('127.0.0.1')).toBe('connect-src 127.0.0.1/.well-known/svc-keys.json');
  expect(await policyAt('[::1]:8080')).toBe("connect-src 'self'");
});
