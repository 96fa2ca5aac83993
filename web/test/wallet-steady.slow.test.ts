// Slow: opens every page of the wallet in a browser.

import { usableAgent } from '@payassent/proof/people/agents';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  expectNoSidewaysScrolling,
  expectStillPage,
  followLayoutShifts,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { agentClient, enrolInBrowser, openTab, pairInBrowser } from './harness/wallet.ts';

const PHONE = { width: 390, height: 844 };
/** A window of 1280 by 800 at 400 %. */
const ZOOMED = { width: 320, height: 200 };
const PAGES = [
  ...['', '/activity', '/connect', '/invitations', '/agents', '/policies', '/security', '/notifications'],
  ...['/devices', '/test-key', '/more', '/no-such-page'],
];

describe.skipIf(withoutBrowser)(`every page of the wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const merchant = await verifiedMerchant(service);
    const payee = await activePayee(service, merchant);
    const agent = agentClient(service, await usableAgent(service, merchant));
    user = await browser.visitor(PHONE);
    const { page } = user;
    await enrolInBrowser(page, service.url, 'Phone');
    const { client } = await pairInBrowser(page, agent);
    for (const amount of ['2', '3'])
      await client.paymentRequests.create({ recipient_id: payee.recipientId, payment: { amount } });
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 2 XLM' }).click();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('button', { name: 'Reject payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rejected' }).waitFor();
    await followLayoutShifts(user.context);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it.each(PAGES)('moves nothing while it arrives, and is usable at 400 percent: /wallet%s', async (path) => {
    const { page } = user;
    await page.goto(`${service.url}/wallet${path}`);
    await page.locator('#content h1:focus').waitFor();
    await expect.poll(() => page.locator('.skeleton, .progress').count()).toBe(0);
    await expectStillPage(page);
    await page.setViewportSize(ZOOMED);
    await expectNoSidewaysScrolling(page);
    // What stays in place while the page scrolls leaves at least half of the window to it.
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((one) => ['fixed', 'sticky'].includes(getComputedStyle(one).position))
        .reduce((sum, one) => sum + one.getBoundingClientRect().height, 0),
    );
    expect(covered).toBeLessThanOrEqual(ZOOMED.height / 2);
    await page.setViewportSize(PHONE);
    expect(user.complaints).toEqual([]);
  });
});
