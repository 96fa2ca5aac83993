import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { succeed } from '../../server/test/harness/merchants.ts';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  report,
} from '../../server/test/harness/payments.ts';
import { startService, type TestService } from '../../server/test/harness/service.ts';
import {
  browserReason,
  expectNoSidewaysScrolling,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { expectSoundPage, PATIENCE, signInBrowser } from './harness/portal.ts';

const HOSTILE_ID = 'order 7/ä%2F?<b>';

describe.skipIf(withoutBrowser)(`a merchant watches while a wallet decides${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let stage: PaymentStage;
  let merchant: Visitor;
  let page: Page;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    merchant = await browser.visitor();
    page = merchant.page;
    await signInBrowser(merchant, service, stage.merchant.session);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const decide = (requestId: string, body: Record<string, unknown>) =>
    succeed(report(service, stage, requestId, body));

  it('a new request appears in the open list by itself, and its status follows the wallet', async () => {
    await page.goto(`${service.url}/portal/payment-requests`);
    await page.getByRole('heading', { name: 'No payment request yet' }).waitFor();
    await expectSoundPage(page);
    const request = await pendingRequest(service, stage, {
      payment: { amount: '0.7500' },
      display: { title: 'Two coffees', items: [{ name: '<img src=x onerror=alert(1)>', price: '0.3750' }] },
    });
    const row = page.getByRole('row').filter({ hasText: request['request_id'] });
    await row.getByText('Waiting').waitFor();
    await row.getByText('0.7500 XLM').waitFor();

    await row.getByRole('link').click();
    await page.getByText('Waiting for the user to decide').waitFor();
    const pinned = page.getByRole('region', { name: 'Pinned facts' });
    expect((await pinned.locator('.address').innerText()).replaceAll(/\s/g, '')).toBe(stage.payee.address);
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await expectSoundPage(page);
    for (const [status, words] of [
      ['signed', 'Waiting for the wallet to send it'],
      ['broadcasted', 'Waiting for the network to confirm it'],
      ['confirmed', 'Final: nothing more can change'],
    ] as const) {
      await decide(request['request_id'], { status, ...(status === 'signed' ? {} : { tx_hash: 'ab12' }) });
      await page.getByText(words).waitFor();
    }
    // Each step was seen as it came, so that each has its time.
    const steps = page.getByRole('listitem').filter({ has: page.locator('time') });
    await expect.poll(() => steps.count(), PATIENCE).toBe(4);
    await page.getByText('ab12').waitFor();
    await expectSoundPage(page);
    await picture(page, 'portal-payment-request');
  });

  it('a rejection reaches the detail with its reason, whatever characters the id has', async () => {
    await pendingRequest(service, stage, { request_id: HOSTILE_ID });
    await page.getByRole('link', { name: 'Payment requests', exact: true }).click();
    await page.getByRole('row').filter({ hasText: HOSTILE_ID }).getByRole('link').click();
    await page.getByText('Waiting for the user to decide').waitFor();
    await page.reload();
    await page.getByText('Waiting for the user to decide').waitFor();
    await decide(HOSTILE_ID, { status: 'rejected', reason_code: 'not_mine', reason: 'I never ordered this' });
    await page.getByText('I never ordered this').waitFor();
    await page.getByText('not_mine').waitFor();
    await expectSoundPage(page);
  });

  it('a filter shows one status, and older pages are reached', async () => {
    for (let count = 0; count < 26; count += 1) await pendingRequest(service, stage);
    await page.goto(`${service.url}/portal/payment-requests`);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Page 2').waitFor();
    await page.getByRole('row').filter({ hasText: '0.7500 XLM' }).waitFor();
    await page.getByLabel('Status').selectOption('rejected');
    await expect.poll(() => page.getByRole('row').count(), PATIENCE).toBe(2);
    await page.getByRole('row').filter({ hasText: HOSTILE_ID }).waitFor();
    await expectSoundPage(page);
  });

  it('the overview draws what happened, with the numbers as a table', async () => {
    await page.goto(`${service.url}/portal`);
    await page.getByRole('img', { name: /Stacked bars of 28 requests.*Confirmed: 1.*Waiting: 26/ }).waitFor();
    await page.getByRole('img', { name: /how many requests were decided/ }).waitFor();
    await page.getByText('All 28 requests').waitFor();
    await page.getByText('The same as a table').first().click();
    await page.getByRole('row').filter({ hasText: '28' }).waitFor();
    await expectSoundPage(page);
    await picture(page, 'portal-overview');
  });

  it('works at 360 px, and nothing complained', async () => {
    const narrow = await browser.visitor({ width: 360, height: 740 });
    await signInBrowser(narrow, service, stage.merchant.session);
    for (const path of ['', '/payment-requests']) {
      await narrow.page.goto(`${service.url}/portal${path}`);
      await narrow.page.getByText('Rejected').first().waitFor({ state: 'attached' });
      await expectNoSidewaysScrolling(narrow.page);
    }
    await narrow.page
      .getByRole('link', { name: /Open the request/ })
      .first()
      .click();
    await narrow.page.getByRole('region', { name: 'Pinned facts' }).waitFor();
    await expectNoSidewaysScrolling(narrow.page);
    await picture(narrow.page, 'portal-payment-request-360');
    expect(narrow.complaints).toEqual([]);
    expect(merchant.complaints).toEqual([]);
  });
});
