import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { expectSoundPage, keepRecoveryCode, openTab } from './harness/wallet.ts';

/** Without a dot: public names that are not the service's own are not served at all. */
const FOREIGN_NAME = 'wallet';

describe.skipIf(withoutBrowser)(`a wallet in several pages of one browser${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let other: Page;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startService(),
      startBrowser([`--host-resolver-rules=MAP ${FOREIGN_NAME} 127.0.0.1`]),
    ]);
    user = await browser.visitor();
    other = await user.context.newPage();
    other.setDefaultTimeout(30_000);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const inboxOf = (page: Page) => page.getByRole('heading', { name: 'Inbox', level: 1 });
  const removed = (page: Page) => page.getByRole('heading', { name: 'This device was removed' });
  const devicesInService = async () => (await service.db`select from devices`).length;
  /** Drops the notice to the other pages, as if it came too late. */
  const tellNobody = (page: Page) =>
    page.evaluate(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
  const renew = async (page: Page) => {
    await openTab(page, 'Devices');
    await page.getByRole('button', { name: 'Renew credential' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await page.getByText('The credential was renewed.').waitFor();
  };

  it('opens without a network after the first visit, and lets go of files that no page names any more', async () => {
    const { page, context } = user;
    await page.goto(`${service.url}/wallet`);
    const start = page.getByRole('button', { name: 'Create wallet' });
    await start.waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await context.setOffline(true);
    await page.reload();
    await start.waitFor();
    await context.setOffline(false);
    const kept = () =>
      page.evaluate(async () => {
        const [name = ''] = await caches.keys();
        return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
      });
    const before = await kept();
    await page.evaluate(async () => {
      const [name = ''] = await caches.keys();
      const cache = await caches.open(name);
      await cache.put('/wallet', new Response('<p>the page of yesterday</p>'));
      await cache.put('/web/assets/yesterday-1.js', new Response(''));
    });
    await page.reload();
    await expect.poll(kept).not.toContain('/web/assets/yesterday-1.js');
    expect((await kept()).sort()).toEqual(before.sort());
  });

  it('enrols once when two pages try at the same time', async () => {
    const { page } = user;
    await other.goto(`${service.url}/wallet`);
    const pages = [page, other];
    await Promise.all(pages.map((one) => one.getByRole('button', { name: 'Create wallet' }).waitFor()));
    await Promise.all(pages.map(tellNobody));
    await Promise.all(pages.map((one) => one.getByRole('button', { name: 'Create wallet' }).click()));
    const code = (one: Page) => one.locator('[data-secret=recovery-code]').textContent();
    const [first, second] = await Promise.all(pages.map(code));
    expect(first).toBe(second);
    await expect.poll(() => devicesInService()).toBe(1);
    await Promise.all(pages.map((one) => one.reload()));
    await keepRecoveryCode(other);
    await Promise.all(pages.map((one) => inboxOf(one).waitFor()));
  });

  it('takes up the credential that another page has renewed, with or without its message', async () => {
    const { page } = user;
    await renew(page);
    await other.getByText('Up to date.').waitFor();
    await tellNobody(page);
    // Both are waited for from before the renewal: the call with the new token follows the refused one closely.
    let isRefused = false;
    const takenUp = other.waitForResponse((response) => {
      isRefused ||= response.status() === 401;
      return isRefused && response.url().includes('/v1/') && response.status() === 200;
    });
    await page.getByRole('button', { name: 'Renew credential' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await takenUp;
    await other.getByText('Up to date.').waitFor();
    expect(await removed(other).count()).toBe(0);
    await openTab(other, 'Devices');
    await other.getByRole('button', { name: 'Link another device' }).click();
    await other.getByRole('img', { name: 'Link code as a QR code' }).waitFor();
  });

  it('never deletes a credential that another page has renewed', async () => {
    const { page } = user;
    await page.reload();
    await page.getByRole('button', { name: 'Renew credential' }).waitFor();
    await tellNobody(page);
    await other.route('**/v1/**', (route) =>
      route.fulfill({ status: 401, json: { ok: false, error: { code: 'token_revoked', message: 'gone' } } }),
    );
    await removed(other).waitFor();
    await renew(page);
    await other.unroute('**/v1/**');
    // A call that was under way may have found the new credential already: then the page is open again, without a
    // button.
    const startAgain = other.getByRole('button', { name: 'Start again on this device' });
    await startAgain.or(inboxOf(other)).click();
    await inboxOf(other).waitFor();
    await page.reload();
    await page.getByRole('article').getByText('This device').waitFor();
  });

  it('leaves in all pages when it is removed in one', async () => {
    const { page, complaints } = user;
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('what was signed here but not sent yet').waitFor();
    await page.getByRole('button', { name: 'Remove the device' }).click();
    for (const one of [page, other]) await one.getByRole('button', { name: 'Create wallet' }).waitFor();
    expect(complaints.filter((complaint) => !/ERR_INTERNET_DISCONNECTED/.test(complaint))).toEqual([]);
  });

  it('describes what it needs where the browser does not trust the address', async () => {
    const { page, complaints } = await browser.visitor();
    await page.goto(`${service.url.replace('127.0.0.1', FOREIGN_NAME)}/wallet`);
    await page.getByRole('heading', { name: 'The wallet needs a secure address' }).waitFor();
    await expectSoundPage(page);
    // The browser itself logs that it does not trust the address.
    expect(complaints.filter((complaint) => !/origin was untrustworthy/.test(complaint))).toEqual([]);
  });
});
