// Long: draws the approval sheet in many states in a browser.

import { usableAgent } from '@payassent/proof/people/agents';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { ConnectionClient } from '@payassent/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  expectNoSidewaysScrolling,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { LONGEST_DOMAIN } from './harness/hostile.ts';
import {
  agentClient,
  enrolInBrowser,
  expectSoundPage,
  openDetails,
  outOfSight,
  pairInBrowser,
} from './harness/wallet.ts';

const PHONE = { width: 390, height: 844 };
/** The largest amount that Stellar can carry. */
const LARGEST = '922337203685.4775807';
const CLAIMS = 'Refund to you: +250.00 XLM ✔ verified, no payment needed';

interface Stage {
  connection: ConnectionClient;
  payee: TestPayee;
}

describe.skipIf(withoutBrowser)(`the approval sheet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    user = await browser.visitor(PHONE);
    await user.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await enrolInBrowser(user.page, service.url, 'Phone');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const stageOf = async (names: { domain?: string; payee: string; agent: string }): Promise<Stage> => {
    const merchant = await verifiedMerchant(service, {
      name: names.payee,
      ...(names.domain === undefined ? {} : { domain: names.domain }),
    });
    const payee = await activePayee(service, merchant, { name: names.payee, memo: 'ORDER-7' });
    const agent = agentClient(service, await usableAgent(service, merchant, { name: names.agent }));
    const scopes = [
      'payment.requests.create',
      'payment.requests.read',
      'transaction_contexts.create',
    ] as const;
    return { connection: (await pairInBrowser(user.page, agent, scopes)).client, payee };
  };
  const openRequest = async (
    { connection, payee }: Stage,
    amount: string,
    more: Record<string, unknown> = {},
  ): Promise<void> => {
    const { payment_request } = await connection.paymentRequests.create({
      recipient_id: payee.recipientId,
      payment: { amount },
      ...more,
    });
    const { request_id: id, connection_id } = payment_request;
    await user.page.goto(`${service.url}/wallet/requests/${id}?connection=${connection_id}`);
    await user.page.locator('.decision-bar').getByRole('button').nth(1).waitFor();
  };
  const sizeOf = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));

  it('says on one screen who asks, how much and for whom, the verified domain above the name', async () => {
    const { page } = user;
    const stage = await stageOf({
      domain: 'harbour-books.example',
      payee: 'Harbour Books',
      agent: 'Concierge',
    });
    await stage.connection.contexts.create({
      transaction_id: 'order-7',
      title: 'Two paperbacks and delivery',
      summary: 'Delivery on Friday before noon.',
      line_items: [
        { name: 'The Sea, The Sea', quantity: 1, price: '52.00' },
        { name: 'Moby-Dick', quantity: 1, price: '57.50' },
        { name: 'Delivery', price: '5.00' },
      ],
    });
    await openRequest(stage, '114.50', { transaction_id: 'order-7' });
    await page.getByText('Two paperbacks and delivery').first().waitFor();
    await page.getByRole('cell', { name: 'Moby-Dick' }).waitFor();
    expect(await outOfSight(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve 114.50 XLM' }).waitFor();
    expect(await page.locator('.sheet-agent').innerText()).toBe('Concierge asks you to pay');
    expect(await sizeOf(page, '.sheet-domain')).toBeGreaterThan(1.3 * (await sizeOf(page, '.sheet-name')));
    expect(await page.locator('[data-fact=to]').isVisible()).toBe(false);
    await expectSoundPage(page);
    await picture(page, 'wallet-sheet-phone');
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await outOfSight(page)).toEqual([]);
    await expectSoundPage(page);
    await picture(page, 'wallet-sheet-desktop');
    await page.setViewportSize(PHONE);
  });

  it('folds the address away, and lets it be copied as one line', async () => {
    const { page } = user;
    await page.getByText('Address and details').click();
    const address = (await page.locator('[data-fact=to]').textContent()) ?? '';
    expect(address).toMatch(/^G\w{55}$/);
    const selected = await page.evaluate(() => {
      const fact = document.querySelector('[data-fact=to]');
      if (fact !== null) getSelection()?.selectAllChildren(fact);
      return getSelection()?.toString();
    });
    expect(selected).toBe(address);
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await expectSoundPage(page);
    await picture(page, 'wallet-sheet-details');
  });

  it('keeps everything on one screen for the longest names and the largest amount there are', async () => {
    const { page } = user;
    const wide = 'W'.repeat(200);
    const stage = await stageOf({ domain: LONGEST_DOMAIN, payee: wide, agent: wide });
    await openRequest(stage, LARGEST);
    await page.getByRole('button', { name: `Approve ${LARGEST} XLM` }).waitFor();
    await page.getByText('First payment to this payee').waitFor();
    expect(await outOfSight(page)).toEqual([]);
    expect(await page.locator('[data-fact=domain]').textContent()).toBe(LONGEST_DOMAIN);
    await expectNoSidewaysScrolling(page);
    await expectSoundPage(page);
    await picture(page, 'hostile-sheet-longest');
  });

  it('shows no name that carries a check mark, an amount or the word verified, and marks international domains', async () => {
    const { page } = user;
    const stage = await stageOf({
      domain: 'xn--pple-43d.example',
      payee: CLAIMS,
      agent: '✅ Verified by PayAssent',
    });
    await openRequest(stage, '250');
    const sheet = page.locator('.sheet');
    await page.getByText('A name here contains a check mark').waitFor();
    await sheet.getByText('International name: it can look like another one').waitFor();
    expect(await sheet.innerText()).not.toMatch(/[✔✅]|Refund|250\.00|Verified by/);
    expect(await outOfSight(page)).toEqual([]);
    await expectSoundPage(page);
    await picture(page, 'hostile-sheet-claims');
    await openDetails(page);
    expect(await page.locator('main').innerText()).not.toMatch(/[✔✅]|Refund|250\.00|Verified by/);
  });

  it('gives each agent a picture of its own, and the same one every time', async () => {
    const { page } = user;
    const picturesOf = () => page.locator('.sheet .avatar').innerHTML();
    const first = await picturesOf();
    await page.reload();
    await page.locator('.sheet .avatar').waitFor();
    await expect.poll(picturesOf).toBe(first);
    const stage = await stageOf({ payee: 'Harbour Books', agent: 'Concierge' });
    await openRequest(stage, '1');
    await expect.poll(picturesOf).not.toBe(first);
    expect(user.complaints).toEqual([]);
  });

  it('switches approval off at the second in which the time is over, whatever the service says', async () => {
    const { page } = user;
    await page.clock.install();
    await page.reload();
    const approve = page.getByRole('button', { name: 'Approve 1 XLM' });
    await approve.waitFor();
    await expect.poll(() => approve.isEnabled()).toBe(true);
    expect(await page.locator('[data-fact=time-left]').innerText()).toMatch(/Expires in (59:\d\d|1 h 0 min)/);
    await page.clock.fastForward('58:00');
    await page
      .locator('[data-is-soon=true]')
      .getByText(/Expires in [12]:\d\d/)
      .waitFor();
    await page.clock.fastForward('03:00');
    await page.getByText('Expired. It can no longer be approved.').waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Reject' }).isEnabled()).toBe(true);
    await picture(page, 'wallet-sheet-expired');
  });
});
