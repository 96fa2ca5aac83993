// Slow: lets notices come late on several pages in a browser.

import { usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, replacePayee, type TestPayee } from '@payassent/proof/people/payees';
import { enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { type AgentClient, type ConnectionClient, WalletClient } from '@payassent/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  expectSoundPage,
  expectStillPage,
  followLayoutShifts,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { agentClient, approvable, enrolInBrowser, pairInBrowser } from './harness/wallet.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** Delays responses from these paths until the test releases them: a slow network for nothing else. */
async function holdReads(page: Page, path: RegExp): Promise<() => Promise<void>> {
  const held: Array<() => Promise<void>> = [];
  let isHeld = true;
  await page.route(path, async (route) => {
    if (isHeld && route.request().method() === 'GET')
      await new Promise<void>((resolve) => void held.push(async () => resolve()));
    await route.continue();
  });
  return async () => {
    isHeld = false;
    for (const release of held) await release();
  };
}

/** A client with the wallet of this browser. */
async function walletOf(page: Page, url: string): Promise<WalletClient> {
  const token = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('countersign-wallet');
        opening.onsuccess = () => {
          const read = opening.result.transaction('device').objectStore('device').get('this-device');
          read.onsuccess = () => {
            opening.result.close();
            resolve(read.result.token);
          };
        };
      }),
  );
  return new WalletClient({ baseUrl: url, deviceToken: token });
}

async function expectInSight(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
}

describe.skipIf(withoutBrowser)(`what comes late${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let merchant: TestMerchant;
  let payee: TestPayee;
  let agent: AgentClient;
  let connection: ConnectionClient;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    merchant = await verifiedMerchant(service, { name: 'Harbour Books' });
    payee = await activePayee(service, merchant, { name: 'Harbour Books' });
    agent = agentClient(service, await usableAgent(service, merchant, { name: 'Concierge' }));
    // Without the worker every request is the page's own, and can be held.
    user = await browser.visitor({ ...SIZES[0], serviceWorkers: 'block' });
    await enrolInBrowser(user.page, service.url, 'Phone');
    connection = (await pairInBrowser(user.page, agent)).client;
    for (const amount of ['2', '3', '4'])
      await connection.paymentRequests.create({ recipient_id: payee.recipientId, payment: { amount } });
    await followLayoutShifts(user.context);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const openInbox = async (page: Page) => {
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('link', { name: 'Review 4 XLM' }).waitFor();
  };
  const join = async (name: string) => {
    const { link_code } = await (await walletOf(user.page, service.url)).devices.createLinkCode();
    return enrolDevice(service, { name, link_code });
  };

  it.each(SIZES)('a device that joins while the inbox is open moves nothing at $width px', async (size) => {
    const { page } = user;
    await page.setViewportSize(size);
    await openInbox(page);
    await join(`Tablet of ${size.width}`);
    await page.getByText('A new device joined this wallet').waitFor();
    await expectStillPage(page);
    await expectInSight(page, '.note');
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'It was me' }).click();
  });

  it.each(SIZES)(
    'notices of the last visit are there with the page, however slow they are, at $width px',
    async (size) => {
      const { page } = user;
      await page.setViewportSize(size);
      await join(`Watch of ${size.width}`);
      const release = await holdReads(page, /\/v1\/(wallet-devices|wallets\/current\/pending-changes)/);
      await openInbox(page);
      await release();
      await page.getByText('A new device joined this wallet').waitFor();
      await expectStillPage(page);
      await page.unrouteAll({ behavior: 'wait' });
    },
  );

  it.each(SIZES)('an agent that wants to connect moves nothing at $width px', async (size) => {
    const { page } = user;
    await page.setViewportSize(size);
    await openInbox(page);
    const { connect_key } = await (await walletOf(page, service.url)).connectKeys.create();
    const claimed = agent.invitations.connect({ connect_key, requested_scopes: ['payment.requests.read'] });
    claimed.catch(() => undefined);
    await page.getByRole('link', { name: 'Review', exact: true }).waitFor();
    await expectStillPage(page);
  });

  it.each(SIZES)(
    'a danger that is known later than the sheet is drawn moves nothing at $width px',
    async (size) => {
      const { page } = user;
      await page.setViewportSize(size);
      const paid = await activePayee(service, merchant, { name: 'Tea House' });
      const { payment_request: first } = await connection.paymentRequests.create({
        recipient_id: paid.recipientId,
        payment: { amount: '5' },
      });
      const open = ({ request_id, connection_id }: typeof first) =>
        page.goto(`${service.url}/wallet/requests/${request_id}?connection=${connection_id}`);
      await open(first);
      await approvable(page, '5 XLM');
      await page.getByRole('button', { name: 'Approve 5 XLM' }).click();
      await page.getByLabel('Transaction hash').fill('ab'.repeat(32));
      await page.getByRole('button', { name: 'Report as sent' }).click();
      await page.getByRole('button', { name: 'Report as paid' }).click();
      await page.getByRole('heading', { level: 1, name: 'You reported it as paid' }).waitFor();
      await replacePayee(service, merchant, paid);
      const { payment_request: second } = await connection.paymentRequests.create({
        recipient_id: paid.recipientId,
        payment: { amount: '6' },
      });
      // Only the service remembers what was paid.
      await page.evaluate(() => localStorage.clear());
      const release = await holdReads(page, /\/v1\/payment-requests\?.*status=(?!pending)/);
      await open(second);
      await page.locator('.sheet .amount').waitFor();
      await release();
      await page.locator('[data-fact=danger]').waitFor();
      await expectStillPage(page);
      await page.unrouteAll({ behavior: 'wait' });
    },
  );

  it.each(SIZES)('a lost network moves nothing at $width px', async (size) => {
    const { page, context } = user;
    await page.setViewportSize(size);
    await openInbox(page);
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await expectStillPage(page);
    await context.setOffline(false);
  });
});
