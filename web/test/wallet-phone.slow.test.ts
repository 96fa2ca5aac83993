// Slow: visits every page on a phone, and installs the wallet.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  ownProfile,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { enrolInBrowser, expectSoundPage, openTab } from './harness/wallet.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

describe.skipIf(withoutBrowser)(`the wallet on a phone${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    user = await browser.visitor(PHONE);
    await enrolInBrowser(user.page, service.url, 'Phone');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const bar = (page: Page) => page.getByRole('navigation', { name: 'Wallet' });
  const tabs = (page: Page) => bar(page).getByRole('link');
  const names = async (page: Page) =>
    (await tabs(page).all()).length === 0
      ? []
      : (await tabs(page).allInnerTexts()).map((name) => name.trim());
  const current = (page: Page) => bar(page).locator('[aria-current]:visible').innerText();

  it('has a bar at the lower edge, with the current page marked, and every other page behind “More”', async () => {
    const { page } = user;
    const box = await bar(page).boundingBox();
    expect(box).toMatchObject({ x: 0, width: PHONE.width });
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(PHONE.height);
    await expect.poll(() => names(page)).toEqual(['Inbox', 'Activity', 'Connect', 'Agents', 'More']);
    for (const tab of await tabs(page).all()) {
      const size = await tab.boundingBox();
      expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await expect.poll(() => current(page)).toBe('Inbox');
    const colours = await tabs(page).evaluateAll((all) => all.map((tab) => getComputedStyle(tab).color));
    expect(new Set(colours.slice(1)).size).toBe(1);
    expect(colours[0]).not.toBe(colours[1]);
    for (const name of ['Policies', 'Security', 'Notifications', 'Devices', 'Test key']) {
      await openTab(page, name);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await expect.poll(() => current(page), { message: name }).toBe('More');
    }
    await openTab(page, 'More');
    await page.getByRole('heading', { level: 1, name: 'More' }).waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-phone-more');
  });

  it('lets no page end below the bar', async () => {
    const { page } = user;
    await openTab(page, 'Devices');
    const last = page.locator('#content .stack > :last-child').last();
    await last.waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const [end, edge] = [await last.boundingBox(), await bar(page).boundingBox()];
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThan(edge?.y ?? 0);
  });

  it('keeps all of the navigation above the page where there is room', async () => {
    const { page } = user;
    await page.setViewportSize(DESKTOP);
    await openTab(page, 'Devices');
    await expect
      .poll(() => names(page))
      .toEqual([
        ...['Inbox', 'Activity', 'Connect', 'Agents'],
        ...['Policies', 'Security', 'Notifications', 'Devices', 'Test key'],
      ]);
    await expect.poll(() => current(page)).toBe('Devices');
    const box = await bar(page).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(200);
    await page.setViewportSize(PHONE);
  });

  it('offers to be installed where the browser does, once, and remembers a no', async () => {
    const { page, complaints } = user;
    await openTab(page, 'Inbox');
    const offer = () =>
      page.evaluate(() => {
        const event = new Event('beforeinstallprompt', { cancelable: true });
        const prompt = async () => void document.body.setAttribute('data-prompted', 'yes');
        return !dispatchEvent(Object.assign(event, { prompt }));
      });
    expect(await offer(), 'the browser shows no bar of its own').toBe(true);
    await page.getByRole('button', { name: 'Install', exact: true }).waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-phone-install');
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.locator('body[data-prompted=yes]').waitFor();
    await expect.poll(() => page.getByText('Install the wallet').count()).toBe(0);
    await offer();
    await page.getByRole('button', { name: 'Not now' }).click();
    await expect.poll(() => page.getByText('Install the wallet').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await offer();
    expect(await page.getByText('Install the wallet').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('describes how to install it by hand in Safari on a phone, which makes no offer', async () => {
    const { page, context } = await browser.visitor(PHONE);
    await page.addInitScript(() => Object.assign(navigator, { standalone: false }));
    await enrolInBrowser(page, service.url, 'iPhone');
    await page.getByText('choose “Add to Home Screen”').waitFor();
    expect(await page.getByRole('button', { name: 'Install', exact: true }).count()).toBe(0);
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    expect(await page.getByText('choose “Add to Home Screen”').count()).toBe(0);
    await context.close();
  });

  it('can be installed, as Chromium judges its manifest, icons and worker', async () => {
    const profile = mkdtempSync(join(tmpdir(), 'wallet-profile-'));
    const context = await ownProfile(profile);
    try {
      const page = await context.newPage();
      await page.goto(`${service.url}/wallet`);
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      const devtools = await context.newCDPSession(page);
      const { errors, data, url } = await devtools.send('Page.getAppManifest');
      expect(errors).toEqual([]);
      expect(url).toBe(`${service.url}/web/wallet.webmanifest`);
      expect((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
      const { icons, shortcuts } = JSON.parse(data ?? '');
      expect(icons.map(({ purpose }: { purpose?: string }) => purpose ?? 'any')).toContain('maskable');
      const apple = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
      const pictures = icons.filter(({ type }: { type: string }) => type === 'image/png');
      for (const { src, sizes } of [...pictures, { src: apple, sizes: '180x180' }]) {
        const answer = await page.request.get(`${service.url}${src}`);
        expect(answer.headers()['content-type']).toBe('image/png');
        const body = await answer.body();
        expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`, src).toBe(sizes);
      }
      expect(shortcuts.map((shortcut: { url: string }) => shortcut.url)).toEqual([
        '/wallet',
        '/wallet/connect',
      ]);
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  });
});
