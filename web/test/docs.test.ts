import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../server/test/harness/service.ts';
import {
  axeViolations,
  browserReason,
  expectNoSidewaysScrolling,
  picture,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';

describe.skipIf(withoutBrowser)(`the reference${browserReason}`, { timeout: 120_000 }, () => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService({ jobs: false }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('names every call by what it does, with a sample to copy and a search that says when it finds nothing', async () => {
    const { page, context, complaints } = await browser.visitor({ width: 1280, height: 900 });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.url}/docs`);
    const call = page.locator('#createPaymentRequest');
    await call.waitFor();
    const title = (await call.getByRole('heading').textContent()) ?? '';
    expect(title).not.toMatch(/^(GET|POST)|\//);
    await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).waitFor();
    await call.getByRole('button', { name: 'Copy' }).click();
    await call.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^curl -X POST http.*\/v1\/payment-requests/);
    await picture(page, 'docs');
    await page.getByLabel('Find a call').fill('zebra');
    await page.getByText('Nothing found.').waitFor();
    await page.getByLabel('Find a call').fill('payment request create');
    await call.waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ['light', 390],
    ['light', 1280],
    ['dark', 390],
    ['dark', 1280],
  ] as const)('has no violation and breaks no name, %s at %i px', async (theme, width) => {
    const { page, context } = await browser.visitor({ theme, width, height: 844 });
    await page.goto(`${service.url}/docs`);
    await page.locator('#createPaymentRequest').waitFor();
    await page.getByLabel('Find a call').fill('payment-requests');
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll<HTMLDetailsElement>('article:not([hidden]) details'))
        folded.open = true;
    });
    await expectNoSidewaysScrolling(page);
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll('article:not([hidden]) td:first-child')].flatMap((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length > 1 ? (cell.textContent ?? '') : [];
      }),
    );
    expect(broken).toEqual([]);
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  it('is written from a contract that is sent compressed, and again only when it has changed', async () => {
    const first = await service.call('GET', '/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const tag = first.headers.get('etag') ?? '';
    const again = await service.call('GET', '/openapi.json', { headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
    const plain = await service.call('GET', '/openapi.json', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(JSON.parse(plain.text).openapi).toMatch(/^3\./);
  });
});
