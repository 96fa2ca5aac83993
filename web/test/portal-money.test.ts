import { readFile } from 'node:fs/promises';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { newHash } from '@payassent/proof/people/settlements';
import { activeEndpoint, answering } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
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

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
/** No floating point number holds it. */
const AMOUNT = '9007199254.7409931';

describe.skipIf(withoutBrowser)(`money in the portal${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let operator: Visitor;
  let stage: PaymentStage;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    const receiver = await startHttpReceiver();
    receiver.script(answering());
    await activeEndpoint(service, stage.merchant, receiver);
    await confirmed(AMOUNT, { request_id: '=HYPERLINK("https://evil.example")' });
    const checked = await confirmed('20.5', { request_id: 'order-2' });
    await service.db`
      insert into settlements (merchant_id, connection_id, kind, record_id, status, checked_at, asked, agreed, differences)
      values (${stage.merchant.merchantId}, ${stage.connectionId}, 'payment_request', ${checked}, 'final', now(), 1, 1, '[]')`;
    const refused = await pendingRequest(service, stage, { payment: { amount: '3' } });
    await succeed(report(service, stage, refused.request_id, { status: 'rejected' }));
    await pendingRequest(service, stage, { payment: { amount: '4' } });
    operator = await browser.visitor(DESKTOP);
    await signInBrowser(operator, service, stage.merchant.session);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function confirmed(amount: string, more: Record<string, unknown>): Promise<string> {
    const { request_id: id } = await pendingRequest(service, stage, { payment: { amount }, ...more });
    await succeed(report(service, stage, id, { status: 'signed' }));
    await succeed(report(service, stage, id, { status: 'broadcasted', tx_hash: newHash() }));
    await succeed(report(service, stage, id, { status: 'confirmed' }));
    return id;
  }

  const goTo = (path: string) => operator.page.goto(`${service.url}/portal${path}`);

  it('shows confirmed settlements apart from reports of wallets, and how customers decide', async () => {
    const { page } = operator;
    await goTo('');
    const received = page.getByRole('region', { name: /Received/ });
    const row = (word: string) => received.locator('tbody tr', { hasText: word });
    await row('Confirmed by the chain').getByText('20.5').first().waitFor();
    await expect
      .poll(() => row('Confirmed by the chain').locator('.amount-cell').allTextContents())
      .toEqual(['20.5', '20.5', '20.5']);
    await expect
      .poll(() => row('Only reported by wallets').locator('.amount-cell').first().textContent())
      .toBe(AMOUNT);
    const tile = (name: string) => page.locator('.tile', { hasText: name }).locator('.tile-value');
    await expect.poll(() => tile('Waiting now').textContent()).toBe('1');
    await expect.poll(() => tile('Approval rate').textContent()).toBe('66.7%');
    await expectSoundPage(page);
    await picture(page, 'portal-money');
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling(page);
    await expectSoundPage(page);
    await picture(page, 'portal-money-phone');
    await page.setViewportSize(DESKTOP);
  });

  it('finds payments by words and days, which are in the address', async () => {
    const { page } = operator;
    await goTo('/payment-requests');
    const rows = page.locator('tbody tr');
    const expectRows = (count: number) => expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(count);
    await expectRows(4);
    await page.getByLabel('Search').fill('ORDER-2');
    await page.waitForURL('**?q=ORDER-2');
    await expectRows(1);
    await page.reload();
    await expectRows(1);
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('ORDER-2');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectRows(4);
    await page.getByLabel('To').fill('2020-01-31');
    await page.waitForURL('**?to=2020-01-31');
    await page.getByText('Nothing fits what you chose.').waitFor();
    await page.getByLabel('To').fill('2099-01-31');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await expectRows(4);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(
      await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter(
            (one) =>
              one.getBoundingClientRect().right > 360.5 && getComputedStyle(one).position !== 'absolute',
          )
          .map((one) => one.outerHTML.slice(0, 150)),
      ),
    ).toEqual([]);
    await expectNoSidewaysScrolling(page);
    await page.setViewportSize(DESKTOP);
    await expectSoundPage(page);
  });

  it('gives them as a table in which every digit is kept and no text is a formula', async () => {
    const { page } = operator;
    await goTo('/payment-requests');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    await page.getByText('Saved 4 payments as payments.csv.').waitFor();
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    const dangerous = lines.find((line) => line.includes(AMOUNT));
    expect(dangerous).toContain(`"${AMOUNT}"`);
    expect(dangerous).toContain('"\'=HYPERLINK(""https://evil.example"")"');
    const cells = lines.flatMap((line) => line.slice(1, -1).split('","'));
    expect(cells.filter((cell) => /^\s*[=+\-@]/.test(cell))).toEqual([]);
    expect(lines.filter((line) => line.includes('"final"'))).toHaveLength(1);
  });

  it('opens one next to the list with every step, its webhooks and its transaction, and the way back closes it', async () => {
    const { page } = operator;
    await goTo('/payment-requests?status=confirmed');
    await page.getByRole('link', { name: 'Open the request for 20.5 XLM' }).click();
    const panel = page.getByRole('dialog', { name: 'Payment request' });
    await expect.poll(() => panel.locator('.timeline > li').count(), { timeout: 60_000 }).toBe(4);
    await panel.getByRole('link', { name: 'Open in an explorer' }).waitFor();
    const deliveries = panel.getByRole('region', { name: 'Webhook deliveries' });
    await expect
      .poll(() => deliveries.getByText('Delivered', { exact: true }).count(), { timeout: 60_000 })
      .toBe(3);
    await panel.getByRole('button', { name: 'Download the evidence' }).waitFor();
    await expectSoundPage(page);
    await picture(page, 'portal-request-panel');
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling(page);
    await picture(page, 'portal-request-panel-phone');
    await page.setViewportSize(DESKTOP);
    await page.goBack();
    await panel.waitFor({ state: 'hidden' });
    expect(page.url()).toContain('?status=confirmed');
    await page.getByRole('link', { name: 'Open the request for 20.5 XLM' }).click();
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'hidden' });
  });
});
