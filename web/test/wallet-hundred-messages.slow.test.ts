// Slow: a hundred messages, one after another, through the whole Chromium.
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import {
  pushKeyOf,
  sentTo,
  startPushService,
  subscribeDevice,
  type TestPushService,
  type TestSubscription,
} from '@payassent/proof/surroundings/push-service';
import type { Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWholeBrowser,
  type TestBrowser,
  type Visitor,
  wholeBrowserReason,
  withoutWholeBrowser,
} from './harness/browser.ts';
import { deliver, shown } from './harness/notifications.ts';

const PATIENCE = { timeout: 60_000 };
const MESSAGES = 100;
const QUIET_MS = 5_000;
/** The push service accepts these messages and never delivers them. */
const LOST = new Set([40, 41]);

describe.skipIf(withoutWholeBrowser)(`a hundred messages to a closed wallet${wholeBrowserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let pushes: TestPushService;
  let subscription: TestSubscription;
  let stage: PaymentStage;
  let user: Visitor;
  let worker: Worker;

  beforeAll(async () => {
    [service, browser, pushes] = await Promise.all([startService(), startWholeBrowser(), startPushService()]);
    stage = await paymentStage(service);
    subscription = pushes.subscription();
    await subscribeDevice(service, stage.device, subscription);
    user = await browser.visitor({ locale: 'de-DE' });
    const { context, page } = user;
    await context.grantPermissions(['notifications'], { origin: service.url });
    const started = context.waitForEvent('serviceworker');
    await page.goto(`${service.url}/wallet`);
    worker = await started;
    // The system's badge on the app icon cannot be read back: the worker records the number that it set.
    await worker.evaluate(() => {
      const badges: number[] = [];
      Object.assign(self, { badges });
      Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) });
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await pushes?.close();
  });

  it('shows each, in order, in the language of the page, and counts right after a lost one', {
    timeout: 600_000,
  }, async () => {
    const publicKey = await pushKeyOf(service);
    const other = await user.context.newPage();
    await other.goto(`${service.url}/docs`);
    const isActive = () =>
      other.evaluate(async () => (await navigator.serviceWorker.getRegistration('/wallet'))?.active?.state);
    await expect.poll(isActive, PATIENCE).toBe('activated');
    await user.page.close();
    expect(user.context.pages()).toEqual([other]);

    for (let number = 1; number <= MESSAGES; number += 1) {
      await pendingRequest(service, stage, { expires_in: 3600 });
      // After a message, a device gets no other one for this long.
      service.clock.advance(QUIET_MS);
      await expect.poll(() => sentTo(pushes, subscription).length, PATIENCE).toBe(number);
      const text = pushes.messages(subscription, publicKey).at(-1) ?? '';
      if (LOST.has(number)) continue;
      await deliver(other, service.url, text);
      const body =
        number === 1
          ? 'Öffnen Sie Ihre Wallet, um zu entscheiden.'
          : `In Ihrer Wallet warten ${number} Dinge.`;
      await expect
        .poll(() => shown(other), PATIENCE)
        .toMatchObject([{ title: 'Eine Zahlung wartet auf Ihre Entscheidung', body }]);
    }

    const numbers = Array.from({ length: MESSAGES }, (_, index) => index + 1);
    expect(pushes.messages(subscription, publicKey).map((text) => JSON.parse(text).waiting)).toEqual(numbers);
    const badges = await worker.evaluate(() => (self as unknown as { badges: number[] }).badges);
    expect(badges).toEqual(numbers.filter((number) => !LOST.has(number)));
  });
});
