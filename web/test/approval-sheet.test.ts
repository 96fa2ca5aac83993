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
  expectStillPage,
  followLayoutShifts,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { LONGEST_DOMAIN } from './harness/hostile.ts';
import {
  agentClient,
  approvable,
  createWallet,
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
  /** Whom the last tests pay. */
  let last: Stage;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    user = await browser.visitor(PHONE);
    await user.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await followLayoutShifts(user.context);
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

  it('shows on one screen who requests it, how much and for whom, the verified domain above the name', async () => {
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
    await expect.poll(() => page.locator('.sheet-agent').innerText()).toBe('Concierge asks you to pay');
    await expect
      .poll(() => page.locator('.sheet-purpose').innerText())
      .toMatch(/^Two paperbacks and delivery\s+says the agent$/);
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
    await expect.poll(() => page.locator('[data-fact=domain]').textContent()).toBe(LONGEST_DOMAIN);
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

  it('gives each agent a distinct picture, and the same one every time', async () => {
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

  it('moves nothing while the parts of the sheet arrive, nor when the result takes its place', async () => {
    const { page } = user;
    last = await stageOf({ domain: 'quiet-books.example', payee: 'Quiet Books', agent: 'Concierge' });
    await openRequest(last, '1', { display: { purpose: 'Two paperbacks and delivery' } });
    await approvable(page, '1 XLM');
    await page.getByText('First payment to this payee').waitFor();
    await expectStillPage(page);
    await page.getByRole('button', { name: 'Approve 1 XLM' }).click();
    await page.getByLabel('Transaction hash').fill('ab'.repeat(32));
    await page.getByRole('button', { name: 'Report as sent' }).click();
    await page.getByRole('button', { name: 'Report as paid' }).click();
    await page.getByRole('heading', { level: 1, name: 'You reported it as paid' }).waitFor();
    await expectStillPage(page);
  });

  it('ends with a separate view: the outcome, how much, to whom, the receipt, and done', async () => {
    const { page } = user;
    const inSight = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= PHONE.height;
    };
    for (const part of ['h1', '.amount', '.sheet-payee', '.decision-bar'])
      expect(await inSight(part), part).toBe(true);
    // Only the customer reported it: it is not green, and not called confirmed.
    await expect.poll(() => page.locator('.result-mark').getAttribute('data-tone')).toBe('plain');
    await page.getByText('No one has checked this on the chain.').waitFor();
    expect(await page.locator('main').innerText()).not.toContain('Paid and confirmed');
    await expectSoundPage(page);
    await picture(page, 'wallet-result-phone');
    await page.getByRole('link', { name: 'Receipt' }).click();
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  });

  it('shows how often the payee was paid before, in one calm line, and keeps its permanent details quiet', async () => {
    const { page } = user;
    await page.route(/\/v1\/payment-requests\/[^/?]+\?/, async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      // Next to an address that was changed recently nothing reassuring is shown.
      body.payment_request.payee.activated_at = new Date(Date.now() - 48 * 3_600_000).toISOString();
      await route.fulfill({ response: answer, json: body });
    });
    await openRequest(last, '2');
    await page.getByText('Paid once, same address').waitFor();
    const notes = page.getByRole('region', { name: 'Warnings' });
    await notes.getByText('Only the domain was proved').waitFor();
    expect(await notes.locator('[data-kind=warn]').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await expectSoundPage(page);
    await picture(page, 'wallet-sheet-known');
  });

  it('repeats no purpose with words that are reserved for the page', async () => {
    const { page } = user;
    await openRequest(last, '2.5', { display: { purpose: CLAIMS } });
    await page.getByText('What for: see the agent’s words below.').waitFor();
    expect(await page.locator('.sheet').innerText()).not.toMatch(/Refund|250/);
    await page.locator('.said').getByText(CLAIMS).first().waitFor();
    await openRequest(last, '2.6', { display: { purpose: `${'Long words '.repeat(30)}end` } });
    await page.locator('.sheet-purpose q').waitFor();
    expect(await outOfSight(page)).toEqual([]);
    expect((await page.locator('.sheet-purpose').boundingBox())?.height).toBeLessThan(30);
    await last.connection.contexts.create({ transaction_id: 'order-9', title: 'Two atlases' });
    await page.route('**/v1/transaction-contexts/**', (route) => route.abort());
    await openRequest(last, '2.65', { transaction_id: 'order-9' });
    await page.locator('.sheet-purpose').getByText('cannot be read').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // The browser's own lines about the calls that were cut off.
    user.complaints.length = 0;
    await openRequest(last, '2.7');
    await page.getByText('The agent does not say what for.').waitFor();
  });

  it('can be decided at a zoom of 400 %: the bar follows the sheet instead of covering it', async () => {
    const { page } = user;
    await page.setViewportSize({ width: 320, height: 200 });
    await expectNoSidewaysScrolling(page);
    const bar = await page.locator('.decision-bar').evaluate((element) => getComputedStyle(element).position);
    expect(bar).toBe('static');
    await page.getByRole('button', { name: 'Reject' }).scrollIntoViewIfNeeded();
    expect(await page.getByRole('button', { name: 'Reject' }).isVisible()).toBe(true);
    await page.setViewportSize(PHONE);
  });

  it('shows in a browser without a wallet that a request waits and how to open it, and nothing of the request', async () => {
    const stranger = await browser.visitor(PHONE);
    const { page } = stranger;
    await page.goto(user.page.url());
    await page.getByText('A payment request waits').waitFor();
    await expect
      .poll(() => page.getByRole('tab', { name: 'Join by link code' }).getAttribute('aria-selected'))
      .toBe('true');
    expect(await page.locator('main').innerText()).not.toMatch(/XLM|Quiet|2\.7/);
    await expectSoundPage(page);
    await picture(page, 'wallet-request-elsewhere');
    await createWallet(page, 'Another phone');
    await page.getByText('This request is not in this wallet').waitFor();
    await expectSoundPage(page);
    expect(stranger.complaints).toEqual([]);
    await stranger.context.close();
  });

  it('counts by the service’s time, and switches approval off in the second in which the time is over', async () => {
    const { page } = user;
    let ahead = 0;
    await page.route('**/v1/**', async (route) => {
      const answer = await route.fetch();
      const date = new Date(Date.now() + ahead).toUTCString();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), date } });
    });
    // This device is two hours ahead: by its own clock every request would have expired.
    await page.clock.install({ time: Date.now() + 2 * 3_600_000 });
    await page.reload();
    const approve = page.getByRole('button', { name: 'Approve 2.7 XLM' });
    await approve.waitFor();
    await expect.poll(() => approve.isEnabled()).toBe(true);
    await expect
      .poll(() => page.locator('[data-fact=time-left]').innerText())
      .toMatch(/Expires in (5[89]:\d\d|1 h 0 min)/);
    await page.getByText(/The payee’s address was set \d+ (second|minute)s? ago/).waitFor();
    ahead = 57 * 60_000;
    await page
      .locator('[data-is-soon=true]')
      .getByText(/Expires in [123]:\d\d/)
      .waitFor();
    ahead = 61 * 60_000;
    await page.getByText('Expired. It can no longer be approved.').waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Reject' }).isEnabled()).toBe(true);
    await picture(page, 'wallet-sheet-expired');
    ahead = 0;
    await page.goto(`${service.url}/wallet/connect`);
    await page.getByRole('button', { name: 'Make a Connect Key' }).click();
    await page.getByText(/Expires in (9:\d\d|10:00)/).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(user.complaints).toEqual([]);
  });
});
