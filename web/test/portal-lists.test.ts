// Long: walks through the lists of the portal in a browser.
import { multiplyRequest } from '@payassent/proof/database/many';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Locator } from 'playwright-core';
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
import { expectSoundPage, PATIENT, signInBrowser } from './harness/portal.ts';

const HASH = '5e'.repeat(32);
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

/** Far from the link, whose area is the row: the driver would take that for something in the way. */
const clickBeside = (row: Locator) => row.locator('td').last().click({ force: true });

describe.skipIf(withoutBrowser)(`lists of the portal${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let operator: Visitor;
  let stage: PaymentStage;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    const { request_id: id } = await pendingRequest(service, stage, { payment: { amount: '114.5000001' } });
    await succeed(report(service, stage, id, { status: 'signed' }));
    await succeed(report(service, stage, id, { status: 'broadcasted', tx_hash: HASH }));
    await succeed(report(service, stage, id, { status: 'confirmed', tx_hash: HASH }));
    await pendingRequest(service, stage, {
      payment: { amount: '13575' },
      display: { title: 'Ten licences' },
    });
    const { request_id: rejected } = await pendingRequest(service, stage, { payment: { amount: '2.5' } });
    // A code of the pattern that is also a name of every object.
    await succeed(report(service, stage, rejected, { status: 'rejected', reason_code: 'constructor' }));
    operator = await browser.visitor(DESKTOP);
    await operator.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signInBrowser(operator, service, stage.merchant.session);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const goTo = (path: string) => operator.page.goto(`${service.url}/portal${path}`);

  it.each(['/payment-requests', '/audit', '/connections', '/domains', '/recipients', '/agents'])(
    '%s fits a window of 1280 px, and is a list of cards on a phone',
    async (path) => {
      const { page } = operator;
      await goTo(path);
      const frame = page.locator('.table-frame').first();
      await frame.locator('tbody tr').first().waitFor();
      const [content, room] = await frame.evaluate((box) => [box.scrollWidth, box.clientWidth]);
      expect(content, 'the table is wider than its frame').toBeLessThanOrEqual(room ?? 0);
      await picture(page, `portal-list${path.replace('/', '-')}`);
      await page.setViewportSize(PHONE);
      await expectNoSidewaysScrolling(page);
      const [narrow, phone] = await frame.evaluate((box) => [box.scrollWidth, box.clientWidth]);
      expect(narrow, 'the cards are wider than the phone').toBeLessThanOrEqual(phone ?? 0);
      const cells = frame.locator('tbody tr').first().locator('td, th');
      const places = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().left));
      expect(new Set(places).size, 'cells stand below each other').toBe(1);
      const labels = await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('data-label')));
      expect(labels).toEqual(await frame.locator('thead th').allTextContents());
      await expectSoundPage(page);
      await picture(page, `portal-list${path.replace('/', '-')}-phone`);
      await page.setViewportSize(DESKTOP);
    },
  );

  it('keep their filter in the address, over a reload and on the way back', async () => {
    const { page } = operator;
    await goTo('/payment-requests');
    await page.getByLabel('Status').selectOption('confirmed');
    await page.waitForURL('**/payment-requests?status=confirmed');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(1);
    await page.reload();
    await page.getByRole('link', { name: 'Open the request for 114.5000001 XLM' }).click();
    await page.getByRole('heading', { name: 'Payment request', exact: true }).waitFor();
    await page.goBack();
    await page.getByLabel('Status').waitFor();
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('confirmed');
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(1);
    await goTo('/audit?target=agt_absent');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    await expect.poll(() => page.getByLabel('Only about this record').inputValue()).toBe('agt_absent');
  });

  it('lead to a request that shows the time of every step, names its network and lets the address be copied', async () => {
    const { page } = operator;
    await goTo('/payment-requests');
    await page.getByRole('link', { name: 'Open the request for 114.5000001 XLM' }).click();
    const steps = page.locator('.timeline > li');
    await expect.poll(() => steps.count(), { timeout: 60_000 }).toBe(4);
    for (const [index, name] of [
      'Requested',
      'Approved and signed',
      'Sent to the network',
      'Reported as paid',
    ].entries()) {
      const step = steps.nth(index);
      await expect.poll(() => step.locator('strong').textContent()).toBe(name);
      await expect.poll(() => step.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT/);
    }
    await expect
      .poll(() => page.getByRole('link', { name: 'Open in an explorer' }).getAttribute('href'))
      .toContain(HASH);
    const pinned = page.getByRole('region', { name: 'Pinned details' });
    await pinned.getByText('Stellar testnet').waitFor();
    await pinned.getByRole('button', { name: 'Copy address' }).click();
    await pinned.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(stage.payee.address);
    await expectSoundPage(page);
    await picture(page, 'portal-request-confirmed');
  });

  it('lead to a request whose customer gave a reason that has no text', async () => {
    const { page } = operator;
    await goTo('/payment-requests');
    await page.getByRole('link', { name: 'Open the request for 2.5 XLM' }).click();
    await page.locator('.timeline').getByText('constructor').waitFor();
  });

  it('open what a click anywhere in the row means, and show what each payment is for', async () => {
    const { page } = operator;
    await goTo('/payment-requests');
    const row = page.getByRole('row').filter({ hasText: 'Ten licences' });
    await expect.poll(() => row.locator('.sum').textContent()).toBe('13575');
    await expect.poll(() => row.locator('.sum > span').allTextContents()).toEqual(['13', '575']);
    expect(await row.locator('.amount-cell').evaluate((cell) => getComputedStyle(cell).textAlign)).toBe(
      'right',
    );
    await clickBeside(row);
    const panel = page.getByRole('dialog', { name: 'Payment request' });
    await panel.getByText('13575 XLM').waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    for (const path of ['/domains', '/recipients', '/agents', '/connections']) {
      await goTo(path);
      await clickBeside(page.locator('tbody tr').first());
      await page.waitForURL(new RegExp(`${path}/\\w+`));
    }
  });

  it('find an amount and a purpose, and distinguish no match from nothing yet', async () => {
    const { page } = operator;
    await goTo('/payment-requests');
    const rows = page.locator('tbody tr');
    for (const words of ['13575', 'ten LIC']) {
      await page.getByLabel('Search').fill(words);
      await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(1);
      await page.getByText('Ten licences').waitFor();
    }
    await page.getByLabel('Search').fill('nothing of that');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    expect(await page.getByText('No payment request yet').count()).toBe(0);
    await expectSoundPage(page);
  });

  it('keep their page in the address, over a reload and on the way back', async () => {
    const { page } = operator;
    const many = await paymentStage(service);
    const template = await pendingRequest(service, many);
    await multiplyRequest(service.db, { ...template, connection_id: many.connectionId }, 60);
    const { page: other, context } = await browser.visitor(DESKTOP);
    await signInBrowser({ context }, service, many.merchant.session);
    await other.goto(`${service.url}/portal/payment-requests`);
    const firstRow = () => other.locator('.row-link').first().getAttribute('href');
    const open = async () => new URL((await firstRow()) ?? '', service.url).searchParams.get('open');
    const newest = await open();
    await other.getByRole('button', { name: 'Older' }).click();
    await expect.poll(open).not.toBe(newest);
    const second = await open();
    await other.getByRole('button', { name: 'Older' }).click();
    await other.getByText('Page 3').waitFor();
    await other.goBack();
    await other.getByText('Page 2').waitFor();
    await expect.poll(open).toBe(second);
    await other.reload();
    await other.getByText('Page 2').waitFor();
    await expect.poll(open).toBe(second);
    // Which page came before is not in the address.
    await other.getByRole('button', { name: 'Newest' }).click();
    await other.getByText('Page 1').waitFor();
    await other.getByRole('button', { name: 'Older' }).click();
    await other.getByText('Page 2').waitFor();
    await other.getByRole('button', { name: 'Newer' }).click();
    await other.getByText('Page 1').waitFor();
    await other.getByRole('button', { name: 'Older' }).click();
    await other.getByText('Page 2').waitFor();
    await other.getByLabel('Status').selectOption('pending');
    await other.waitForURL('**/payment-requests?status=pending');
    await context.close();
    await page.bringToFront();
  });

  it('name people by their address and browsers as people do', async () => {
    const { page } = operator;
    await goTo('/audit');
    await page.getByRole('cell', { name: stage.merchant.email }).first().waitFor();
    await goTo('/sign-in');
    const sessions = page.getByRole('region', { name: 'Table: Sessions' });
    const [content, room] = await sessions.evaluate((box) => [box.scrollWidth, box.clientWidth]);
    expect(content, 'the table is wider than its frame').toBeLessThanOrEqual(room ?? 0);
    await expectSoundPage(page);
    await picture(page, 'portal-sessions');
  });

  it('show what an agent called last', async () => {
    const { page } = operator;
    await service.call('GET', '/v1/payment-requests/nothing', { bearer: stage.connectionToken });
    await goTo(`/agents/${stage.agent.agentId}`);
    const row = page.getByRole('row').filter({ hasText: 'getPaymentRequest' });
    await row.filter({ hasText: '404' }).first().waitFor();
    await expect
      .poll(() => row.getByRole('link').first().getAttribute('href'))
      .toMatch(/^\/docs\/errors#\w+$/);
    await expectSoundPage(page);
    await picture(page, 'portal-last-calls');
  });

  it('show immediately that the browser is offline, and stop when it is back', async () => {
    const { page, context } = operator;
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await expectSoundPage(page);
    await context.setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });
});
