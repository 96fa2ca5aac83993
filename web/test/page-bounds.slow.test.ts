// Slow: opens every page of the portal and the kinds of pages around it in a browser, twice.

import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { connect, enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeViolations,
  browserReason,
  expectNoSidewaysScrolling,
  expectStillPage,
  followLayoutShifts,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { PATIENT, signInBrowser } from './harness/portal.ts';

/** 1280 by 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const FIRST_VIEW_BYTES = 130_000;

const PORTAL = [
  '/',
  '/domains',
  '/recipients',
  '/recipients/new',
  '/agents',
  '/agents/new',
  '/payment-requests',
  '/connections',
  '/webhooks',
  '/webhooks/new',
  '/webhooks/deliveries',
  '/policies',
  '/policies/payments',
  '/access',
  '/audit',
  '/organization',
  '/team',
  '/approvals',
  '/sign-in',
  '/test-request',
].map((path) => `/portal${path}`);
const PUBLIC = [
  '/',
  '/nope',
  '/verify',
  '/docs',
  '/docs/guides/webhooks',
  '/docs/errors',
  '/docs/reference/webhooks',
];

describe.skipIf(withoutBrowser)(`bounds that every page keeps${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let stage: PaymentStage;
  let operator: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    await pendingRequest(service, stage, { display: { title: 'Ten licences' } });
    await connect(service, stage.agent, await enrolDevice(service));
    operator = await browser.visitor();
    await followLayoutShifts(operator.context);
    await signInBrowser(operator, service, stage.merchant.session);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens the page, and waits for everything that it requested. */
  async function open(page: Page, path: string): Promise<void> {
    await page.goto(`${service.url}${path}`);
    await page.getByRole('heading', { level: 1 }).and(page.locator(':not(.visually-hidden)')).waitFor();
    await page.waitForLoadState('networkidle');
  }

  it.each([...PORTAL, ...PUBLIC])(
    '%s stays where it is while it comes, and can be used at 400 %',
    async (path) => {
      const { page } = operator;
      for (const size of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(size);
        await open(page, path);
        await expectStillPage(page);
      }
      await page.setViewportSize(ZOOMED);
      await expectNoSidewaysScrolling(page);
      expect(
        await page.evaluate(stickyShare),
        'of the window is covered by what stays in place',
      ).toBeLessThan(0.34);
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  it.each(['/wallet', '/portal', '/docs', '/docs/reference/payment-requests'])(
    '%s is there for a new visitor after at most 130 kB',
    async (path) => {
      const { page, context } = await browser.visitor({ serviceWorkers: 'block' });
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.enable');
      let bytes = 0;
      // Until the typeface has loaded, another one of the same metrics is shown.
      const typefaces = new Set<string>();
      devtools.on('Network.responseReceived', ({ requestId, type }) => {
        if (type === 'Font') typefaces.add(requestId);
      });
      devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (!typefaces.has(requestId)) bytes += encodedDataLength;
      });
      await open(page, path);
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThanOrEqual(FIRST_VIEW_BYTES);
      await context.close();
    },
  );
});

/** How much of the height of the window is covered by bars that stay while the page scrolls. */
function stickyShare(): number {
  scrollTo(0, document.documentElement.scrollHeight);
  const bars = [...document.querySelectorAll('body *')].filter((one) =>
    ['fixed', 'sticky'].includes(getComputedStyle(one).position),
  );
  const covered = bars
    .map((bar) => bar.getBoundingClientRect())
    .filter(({ width, top, bottom }) => width > innerWidth / 2 && bottom > 0 && top < innerHeight)
    .reduce((sum, { top, bottom }) => sum + Math.min(bottom, innerHeight) - Math.max(top, 0), 0);
  return covered / innerHeight;
}
