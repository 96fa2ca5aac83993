// Slow: needs the whole Chromium, for notifications.

import { usableAgent } from '@payassent/proof/people/agents';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import {
  pushKeyOf,
  startPushService,
  type TestPushService,
  type TestSubscription,
} from '@payassent/proof/surroundings/push-service';
import type { ConnectionClient } from '@payassent/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWholeBrowser,
  type TestBrowser,
  type Visitor,
  wholeBrowserReason,
  withoutWholeBrowser,
} from './harness/browser.ts';
import { deliver, shown } from './harness/notifications.ts';
import { agentClient, enrolInBrowser, expectSoundPage, openTab, pairInBrowser } from './harness/wallet.ts';

const PATIENCE = { timeout: 60_000 };

/**
 * Chromium subscribes at a service of its vendor, which a test cannot reach: only this step is replaced, by a
 * subscription at the test's own push service. The worker, its registration and its notifications are the browser's.
 */
async function subscribeHere(page: Page, { body }: TestSubscription): Promise<void> {
  await page.addInitScript((made) => {
    let current: unknown = null;
    const asked: number[] = [];
    Object.assign(globalThis, { askedForPermission: asked });
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => {
      asked.push(Date.now());
      return ask();
    };
    PushManager.prototype.getSubscription = async () => current as PushSubscription | null;
    PushManager.prototype.subscribe = async (options) => {
      const key = options?.applicationServerKey as Uint8Array;
      current = {
        endpoint: made.endpoint,
        options: { applicationServerKey: key.buffer },
        toJSON: () => ({ ...made, expirationTime: null }),
        unsubscribe: async () => {
          current = null;
          return true;
        },
      };
      return current as PushSubscription;
    };
  }, body);
}

describe.skipIf(withoutWholeBrowser)(`notifications of a wallet${wholeBrowserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let pushes: TestPushService;
  let subscription: TestSubscription;
  let publicKey: string;
  let user: Visitor;
  let payee: TestPayee;
  let connection: ConnectionClient;

  beforeAll(async () => {
    [service, browser, pushes] = await Promise.all([startService(), startWholeBrowser(), startPushService()]);
    const merchant = await verifiedMerchant(service, { name: 'Harbour Books' });
    payee = await activePayee(service, merchant, { name: 'Harbour Books' });
    publicKey = await pushKeyOf(service);
    subscription = pushes.subscription();
    user = await browser.visitor({ width: 390, height: 844 });
    await user.context.grantPermissions(['notifications'], { origin: service.url });
    await subscribeHere(user.page, subscription);
    await enrolInBrowser(user.page, service.url, 'Pocket');
    const agent = agentClient(service, await usableAgent(service, merchant));
    connection = (await pairInBrowser(user.page, agent)).client;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await pushes?.close();
  });

  const ask = (amount: string) =>
    connection.paymentRequests.create({ recipient_id: payee.recipientId, payment: { amount } });
  const messages = () => pushes.messages(subscription, publicKey);

  it('describes what is sent, and requests permission after a tap and not before', async () => {
    const { page } = user;
    await openTab(page, 'Notifications');
    await page.getByText('no name, no amount').waitFor();
    const asked = () =>
      page.evaluate(
        () => (globalThis as unknown as { askedForPermission: number[] }).askedForPermission.length,
      );
    await page.getByText('This device gets no notifications.').waitFor();
    expect(await asked()).toBe(0);
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Notify me on this device' }).click();
    await page.getByText('This device is notified about pending requests.').waitFor();
    await expect.poll(() => asked()).toBe(1);
    const [row] = await service.db`select has_push from devices`;
    expect(row?.['has_push']).toBe(true);
    await expectSoundPage(page);
  });

  it('counts what waits in the title while it is open', async () => {
    await openTab(user.page, 'Inbox');
    await ask('98765.25');
    await expect.poll(() => user.page.title(), PATIENCE).toMatch(/^\(1\) /);
    await expect.poll(() => messages().length, PATIENCE).toBe(1);
  });

  it('shows a notification with the page closed: kind and count, neither payee nor amount', async () => {
    const other = await user.context.newPage();
    await other.goto(`${service.url}/docs`);
    await user.page.close();
    await ask('98766.25');
    await expect.poll(() => messages().length, PATIENCE).toBe(2);
    const [, text = ''] = messages();
    expect(text).toBe('{"kind":"payment_request","waiting":2}');
    await deliver(other, service.url, text);
    // A picture of a kind that every system draws.
    const icon = '/web/icon-192.png';
    await expect
      .poll(() => shown(other), PATIENCE)
      .toEqual([{ title: 'A payment waits for your decision', body: '2 things wait in your wallet.', icon }]);
    const all = JSON.stringify([await shown(other), messages()]);
    for (const secret of ['9876', 'Harbour', payee.address]) expect(all).not.toContain(secret);
    await deliver(other, service.url, '{"kind":"invitation","waiting":1}');
    await expect
      .poll(() => shown(other), PATIENCE)
      .toEqual([{ title: 'An agent asks to be connected', body: 'Open your wallet to decide.', icon }]);
    await other.close();
  });

  it('shows notifications in the language that the page was last read in', async () => {
    const { page, context } = await browser.visitor({ locale: 'de-DE' });
    await context.grantPermissions(['notifications'], { origin: service.url });
    const other = await context.newPage();
    await other.goto(`${service.url}/docs`);
    const rung = async (script: string) => {
      const active = () =>
        other.evaluate(async () => {
          const worker = (await navigator.serviceWorker.getRegistration('/wallet'))?.active;
          return [worker?.scriptURL, worker?.state];
        });
      await expect.poll(active, PATIENCE).toEqual([service.url + script, 'activated']);
      await deliver(other, service.url, '{"kind":"payment_request","waiting":2}');
    };
    await page.goto(`${service.url}/wallet`);
    await rung('/web/wallet-worker.js?language=de');
    await expect
      .poll(() => shown(other), PATIENCE)
      .toMatchObject([
        { title: 'Eine Zahlung wartet auf Ihre Entscheidung', body: 'In Ihrer Wallet warten 2 Dinge.' },
      ]);
    await page.getByRole('button', { name: 'English' }).click();
    await rung('/web/wallet-worker.js');
    await expect
      .poll(() => shown(other), PATIENCE)
      .toMatchObject([{ title: 'A payment waits for your decision', body: '2 things wait in your wallet.' }]);
    await context.close();
  });

  it('falls silent with one tap', async () => {
    const page = await user.context.newPage();
    await page.goto(`${service.url}/wallet/notifications`);
    await page.getByRole('button', { name: 'Stop notifications' }).click();
    await page.getByText('This device gets no notifications.').waitFor();
    const [row] = await service.db`select has_push from devices`;
    expect(row?.['has_push']).toBe(false);
    await page.close();
  });
});
