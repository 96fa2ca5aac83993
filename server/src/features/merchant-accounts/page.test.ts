import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

// The page behind the mailed link is a path of the portal. Without built pages these tests fail with a 503.
const PATHS = ['/portal', '/portal/verify', '/portal/recipients/rcp_x'];

let service: TestService;
beforeAll(async () => {
  service = await startService({ jobs: false });
});
afterAll(() => service.close());

it.each(PATHS)('%s is served with a policy that runs only its own files', async (path) => {
  const page = await service.call('GET', path);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
});

it.each(PATHS)('%s has no inline script or style, no handler, and nothing from elsewhere', async (path) => {
  const { text } = await service.call('GET', path);
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=/i);
  expect(addressesIn(text).filter((address) => !/^\/(?!\/)/.test(address))).toEqual([]);
});

it('serves every file it needs, as what it is', async () => {
  const { text } = await service.call('GET', '/portal/verify');
  const addresses = addressesIn(text);
  expect(addresses.some((address) => address.endsWith('.js'))).toBe(true);
  expect(addresses.some((address) => address.endsWith('.css'))).toBe(true);
  for (const address of addresses) {
    const file = await service.call('GET', address);
    expect([address, file.status]).toEqual([address, 200]);
    if (address.endsWith('.js'))
      expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  }
});

it('loads nothing at run time but its own files, and writes no cookie', async () => {
  const scripts = addressesIn((await service.call('GET', '/portal')).text).filter((each) =>
    each.endsWith('.js'),
  );
  for (const address of scripts) {
    const { text } = await service.call('GET', address);
    expect(text).not.toMatch(/document\.cookie|sessionStorage|\beval\(|new Function\(|importScripts/);
    expect(text).not.toMatch(/import\(\s*["'`](?:https?:)?\/\//);
  }
});

it('describes what to do where JavaScript is off', async () => {
  expect((await service.call('GET', '/portal/verify')).text).toMatch(/<noscript>.*JavaScript.*<\/noscript>/s);
});

function addressesIn(html: string): string[] {
  return [...html.matchAll(/(?:src|href|action)="([^"]*)"/g)].map((match) => match[1] ?? '');
}
