import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../../../test/harness/service.ts';
import { verifyPage } from './documents.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ jobs: false });
});
afterAll(() => service.close());

it('is served with a policy that runs only its own files', async () => {
  const page = await service.call('GET', '/portal/verify');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
});

it('has no inline script or style, no handler, and nothing from elsewhere', async () => {
  const { text } = await service.call('GET', '/portal/verify');
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=/i);
  const addresses = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map((match) => match[1] ?? '');
  expect(addresses.filter((address) => !/^\/(?!\/)|^data:,$/.test(address))).toEqual([]);
  const files = verifyPage.map((document) => document.path);
  for (const address of addresses.filter((each) => each.startsWith('/portal/')))
    expect(files).toContain(address);
});

it('serves every file it needs, and its scripts name no other place', async () => {
  for (const { path } of verifyPage) {
    const file = await service.call('GET', path);
    expect([path, file.status]).toEqual([path, 200]);
    if (!path.endsWith('.js')) continue;
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(file.text).not.toMatch(/https?:\/\/|localStorage|sessionStorage|document\.cookie|innerHTML/);
    const imported = [...file.text.matchAll(/from '\.\/([^']+)'/g)].map(
      (match) => `/portal/verify/${match[1]}`,
    );
    for (const each of imported) expect(verifyPage.map((document) => document.path)).toContain(each);
  }
});

it('labels every field, and every script finds what it looks for', async () => {
  const { text } = await service.call('GET', '/portal/verify');
  const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]));
  for (const field of text.matchAll(/<input id="([^"]+)"/g))
    expect(text).toContain(`<label for="${field[1]}">`);
  for (const { path } of verifyPage.filter((document) => document.path.endsWith('.js'))) {
    const script = (await service.call('GET', path)).text;
    for (const match of script.matchAll(/(?:byId|onClick|show)\('([a-z-]+)'/g))
      expect(ids).toContain(match[1]);
  }
});
