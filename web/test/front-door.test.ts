import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import { LINKS_PER_HOUR } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeViolations,
  browserReason,
  expectNoSidewaysScrolling,
  expectSoundPage,
  picture,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';
import { signInBrowser } from './harness/portal.ts';

describe.skipIf(withoutBrowser)(`the front door${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it.each([
    ['light', 390],
    ['light', 1280],
    ['dark', 390],
    ['dark', 1280],
  ] as const)('leads into all three parts without a script, %s at %i px', async (theme, width) => {
    const { page, context, complaints } = await browser.visitor({ theme, width, height: 844 });
    for (const [door, path] of [
      ['Wallet', '/wallet'],
      ['Merchants', '/portal'],
      ['Documentation', '/docs'],
    ] as const) {
      await page.goto(service.url);
      expect(await axeViolations(page)).toEqual([]);
      await expectNoSidewaysScrolling(page);
      await picture(page, `front-door-${theme}-${width}`);
      await page.getByRole('link', { name: door }).click();
      await page.waitForURL(`${service.url}${path}`);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ['/nope', 'en-US', 'There is no such page'],
    ['/docs/nope', 'en-US', 'There is no such page'],
    ['/nope', 'de-DE', 'Diese Seite gibt es nicht'],
  ])('%s shows in %s that there is no such page, and leads on', async (path, locale, title) => {
    const { page, context } = await browser.visitor({ locale });
    await page.goto(`${service.url}${path}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await axeViolations(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScrolling(page);
    await picture(page, `no-such-page-${locale}`);
    await page.getByRole('main').getByRole('link').nth(3).click();
    await page.waitForURL(`${service.url}/docs`);
    await context.close();
  });

  it.each(['/wallet', '/portal'])('%s shows its frame before its script has arrived', async (path) => {
    const { page, context } = await browser.visitor({ width: 390, height: 844 });
    const held: Array<() => Promise<void>> = [];
    let isReleased = false;
    await page.route('**/*.js', (route) =>
      isReleased ? route.continue() : void held.push(() => route.continue()),
    );
    await page.goto(`${service.url}${path}`, { waitUntil: 'commit' });
    await page.locator('.skeleton-bar').first().waitFor();
    await expect.poll(() => page.locator('.logo').isVisible()).toBe(true);
    isReleased = true;
    await Promise.all(held.map((release) => release()));
    await page.locator('.skeleton').waitFor({ state: 'detached' });
    await context.close();
  });

  it('a page whose script is on its way shows its outline, inside of what is there already', async () => {
    const { session } = await verifiedMerchant(service);
    const visitor = await browser.visitor();
    const { page, context, complaints } = visitor;
    await signInBrowser(visitor, service, session);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/domains-page-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${service.url}/portal/domains`);
    await page.locator('main .skeleton-bar').first().waitFor();
    await page.getByRole('navigation').first().waitFor();
    await page.getByRole('heading', { level: 1, name: 'Loading …' }).waitFor();
    await expectSoundPage(page);
    release();
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
    expect(await page.locator('.skeleton').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('reports that no more links are mailed, also where each one is requested on the page of the last', async () => {
    const { page, context } = await browser.visitor();
    await page.route('**/v1/merchant-accounts/registrations', (route) =>
      route.fulfill({ status: 202, json: { ok: true, status: 'accepted' } }),
    );
    await page.goto(`${service.url}/portal`);
    await page.getByLabel('Email address').fill('ada@shop.example');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    const again = page.getByRole('button', { name: 'Send another link' });
    for (let count = 1; count <= LINKS_PER_HOUR; count += 1) {
      const sent = page.waitForResponse('**/v1/merchant-accounts/registrations');
      await again.click();
      await sent;
    }
    await page.getByText('More than 5 links were requested').waitFor();
    await context.close();
  });

  it('speaks to people about a record that is missing', async () => {
    const { page, context } = await browser.visitor();
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('button', { name: 'Create wallet' }).click();
    const code = (await page.locator('[data-secret=recovery-code]').textContent()) ?? '';
    await page.getByLabel('Last four characters of the code').fill(code.slice(-4));
    await page.getByRole('button', { name: 'Open the wallet' }).click();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.goto(`${service.url}/wallet/requests/absent?connection=con_absent`);
    await page.getByText('This request is not in this wallet').waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/credential|identifier/);
    await context.close();
  });
});
