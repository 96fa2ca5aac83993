import { succeed } from '@payassent/proof/people/merchants';
import { activePayee, stellarAddress } from '@payassent/proof/people/payees';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { expectSoundPage, openTab } from './harness/wallet.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
const REJECTED = 22;

describe.skipIf(withoutBrowser)(`the activity of a wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let stage: PaymentStage;
  let paid: string;
  const issuer = stellarAddress();
  const hash = 'ab'.repeat(32);
  /** Pages of decided requests that the page has requested. */
  const reads: URL[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    const dollars = await activePayee(service, stage.merchant, { name: 'Harbour', asset: 'USDC', issuer });
    for (const [amount, payee] of [
      ['2.5', stage.payee],
      ['7.5', stage.payee],
      ['40', dollars],
    ] as const) {
      const named = { recipient_id: payee.recipientId, recipient_version_id: payee.recipientVersionId };
      paid = await confirmed(amount, { ...named });
    }
    for (let done = 0; done < REJECTED; done += 1) {
      const { request_id } = await pendingRequest(service, stage, { payment: { amount: '3' } });
      await succeed(report(service, stage, request_id, { status: 'rejected' }));
    }
    user = await browser.visitor(DESKTOP);
    user.page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/v1/payment-requests' && url.searchParams.get('status')?.includes(','))
        reads.push(url);
    });
    const path = '/v1/wallet-devices/link-codes';
    const { link_code } = (await succeed(service.call('POST', path, { device: deviceOf(stage.device) })))
      .body;
    await user.page.goto(`${service.url}/wallet`);
    await user.page.getByRole('tab', { name: 'Join by link code' }).click();
    await user.page.getByRole('textbox', { name: 'Link code' }).fill(link_code);
    await user.page.getByRole('button', { name: 'Join this wallet' }).click();
    await openTab(user.page, 'Activity');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function confirmed(amount: string, named: object): Promise<string> {
    const { request_id } = await pendingRequest(service, stage, { payment: { amount }, ...named });
    for (const status of ['signed', 'broadcasted', 'confirmed'])
      await succeed(report(service, stage, request_id, { status, tx_hash: hash }));
    return request_id;
  }
  const rows = () => user.page.getByRole('region', { name: 'Decided and paid' }).getByRole('article');
  const amounts = () => rows().evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
  const search = async (words: string) => {
    await user.page.getByRole('searchbox', { name: 'Search' }).fill(words);
    await user.page.getByRole('button', { name: 'Search' }).click();
  };

  it('lists what was decided, newest first, a page at a time', async () => {
    const { page } = user;
    await rows().first().waitFor();
    await expect.poll(() => rows().count()).toBe(20);
    expect(reads.every((url) => Number(url.searchParams.get('limit')) <= 21)).toBe(true);
    expect(reads.some((url) => url.searchParams.has('cursor'))).toBe(false);
    await page.getByRole('button', { name: 'Show older' }).click();
    await expect.poll(() => rows().count()).toBe(REJECTED + 3);
    expect((await amounts()).slice(-3)).toEqual(['40 USDC', '7.5 XLM', '2.5 XLM']);
    await expectSoundPage(page);
  });

  it('finds by payee, domain, agent, amount and id, and keeps the search in the address', async () => {
    const { page } = user;
    for (const [words, found] of [
      ['harbour', ['40 USDC']],
      ['7.50', ['7.5 XLM']],
      [paid, ['40 USDC']],
    ] as const) {
      await search(words);
      await expect.poll(amounts, { message: words, timeout: 60_000 }).toEqual(found);
      expect(new URL(page.url()).searchParams.get('q')).toBe(words);
    }
    await page.reload();
    await expect.poll(amounts, { timeout: 60_000 }).toEqual(['40 USDC']);
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe(paid);
    await search('shopping ag');
    await expect.poll(() => rows().count(), { timeout: 60_000 }).toBe(20);
    await search('nothing of that');
    await page.getByText('Nothing found').waitFor();
    await search('');
    await page.getByLabel('Agent', { exact: true }).selectOption({ index: 1 });
    await expect.poll(() => new URL(page.url()).searchParams.get('agent')).toBe(stage.connectionId);
    await expect.poll(() => rows().count(), { timeout: 60_000 }).toBe(20);
  });

  it('adds up what was confirmed, per agent and month, and never different assets', async () => {
    const { page } = user;
    await page.getByText('Spending per agent and month').click();
    const spending = page.getByRole('region', { name: 'Spending per agent and month' });
    const sums = spending.locator('tbody strong');
    await sums.first().waitFor();
    expect((await sums.allInnerTexts()).sort()).toEqual(['10 XLM', '40 USDC']);
    await page.setViewportSize(PHONE);
    await expectSoundPage(page);
    await picture(page, 'wallet-activity');
    await page.setViewportSize(DESKTOP);
  });

  it('prints a receipt with the pinned details, the wallet’s report and the settlement apart, and nothing around it', async () => {
    const { page, complaints } = user;
    await search('harbour');
    await page.getByRole('link', { name: 'Open 40 USDC' }).click();
    await page.getByRole('link', { name: 'Receipt' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.waitFor();
    const text = (await receipt.innerText()).replaceAll(/\s/g, '');
    const { body } = await succeed(
      service.call('GET', `/v1/payment-requests/${paid}`, { bearer: stage.connectionToken }),
    );
    const { payment, payee, facts_digest } = body.payment_request;
    for (const fact of [payment.to, issuer, payee.domain, facts_digest, paid, hash])
      expect(text).toContain(fact);
    await expect
      .poll(() => receipt.locator('[data-fact=wallet-word]').innerText())
      .toContain('reported as paid');
    await expect
      .poll(() => receipt.locator('[data-settlement]').getAttribute('data-settlement'))
      .toBe('unchecked');
    await expectSoundPage(page);
    await picture(page, 'wallet-receipt');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
    await expect.poll(() => receipt.isVisible()).toBe(true);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: null });
    expect(complaints).toEqual([]);
  });

  it('never mixes the report of the wallet with what the chain shows', async () => {
    const { page, complaints } = user;
    let state = 'mismatch';
    await page.route(/\/v1\/payment-requests\/[^/?]+\?/, async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.payment_request.settlement = { state, differences: [], transaction: null, observed_at: null };
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.getByText('On the chain, but not as approved').waitFor();
    await expect
      .poll(() => receipt.locator('[data-fact=wallet-word]').innerText())
      .toContain('reported as paid');
    await receipt.getByRole('heading', { name: 'Pinned details' }).waitFor();
    state = 'unseen';
    await page.goto(`${service.url}/wallet/requests/${paid}?connection=${stage.connectionId}`);
    await page.getByText('You reported it as paid. The chain does not show it as final.').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(complaints).toEqual([]);
  });
});
