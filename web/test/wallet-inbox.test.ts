// Long: long polls of the inbox in a browser.

import { usableAgent } from '@payassent/proof/people/agents';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { claim, deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { signEd25519, signSep7 } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { approvable, expectSoundPage, openTab, tabTo } from './harness/wallet.ts';

const DECIDED = 25;
const WAITING = 110;
const AT_ONCE = 10;
const OTHER_ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
/** Not a seed of the service: anyone could sign links with it. */
const LINK_SEED = new Uint8Array(32).fill(7);

describe.skipIf(withoutBrowser)(`the inbox of a busy wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let stage: PaymentStage;
  /** How often a page of what waits was requested. */
  let reads = 0;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    await inTurns(DECIDED, async () => {
      const { request_id } = await pendingRequest(service, stage, { payment: { amount: '2' } });
      // A code of the pattern that is also a name of every object.
      await succeed(report(service, stage, request_id, { status: 'rejected', reason_code: '__proto__' }));
    });
    const soon = new Date(service.clock.now().getTime() + 20 * 60_000).toISOString();
    await pendingRequest(service, stage, {
      payment: { amount: '7' },
      expires_at: soon,
      display: { purpose: 'Two paperbacks' },
    });
    await inTurns(WAITING, () => pendingRequest(service, stage, { payment: { amount: '1' } }));
    user = await browser.visitor();
    user.page.on('request', (request) => {
      if (/payment-requests\?.*status=pending/.test(request.url())) reads += 1;
    });
    const path = '/v1/wallet-devices/link-codes';
    const { link_code } = (await succeed(service.call('POST', path, { device: deviceOf(stage.device) })))
      .body;
    await user.page.goto(`${service.url}/wallet`);
    await user.page.getByRole('tab', { name: 'Join by link code' }).click();
    await user.page.getByRole('textbox', { name: 'Link code' }).fill(link_code);
    await user.page.getByRole('button', { name: 'Join this wallet' }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function inTurns(count: number, act: () => Promise<unknown>): Promise<void> {
    for (let done = 0; done < count; done += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, act));
  }
  const heard = () => user.page.locator('p[role=status].visually-hidden').textContent();
  const focused = () => user.page.evaluate(() => document.activeElement?.textContent ?? '');
  const sections = () => ({
    waiting: user.page.getByRole('region', { name: 'Waiting for you' }).getByRole('article'),
    decided: user.page.getByRole('region', { name: 'Decided and under way' }).getByRole('article'),
  });

  it('shows all that waits, the most urgent first, and what was decided behind it', async () => {
    const { page } = user;
    const { waiting, decided } = sections();
    await page.getByRole('link', { name: `Inbox ${WAITING + 1} waiting` }).waitFor();
    await expect.poll(() => waiting.count()).toBe(WAITING + 1);
    await expect.poll(() => waiting.first().getAttribute('aria-label')).toBe('7 XLM');
    expect(reads, 'the list is not read again for each of its entries').toBeLessThan(20);
    await decided.first().waitFor();
    await expect.poll(() => decided.count()).toBe(20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => decided.count()).toBe(DECIDED);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('shows in one row who requests, what for, how much and how long, 25 of them in 2,000 px of a phone, under their days', async () => {
    const { page } = user;
    const { waiting, decided } = sections();
    const first = waiting.first();
    await expect.poll(() => first.innerText()).toContain('Shopping agent');
    await first.getByText('Two paperbacks').waitFor();
    await first.getByText(stage.merchant.domain).waitFor();
    await first.locator('svg.avatar').waitFor();
    await first.getByText(/^in (1[0-9]|20) min\.$/).waitFor();
    await page
      .getByRole('heading', { level: 3, name: /^Expires (today|tomorrow)$/ })
      .first()
      .waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const last = await waiting.nth(24).boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(2_000);
    await expectSoundPage(page);
    await picture(page, 'wallet-inbox-crowded');
    // The empty part of a row links to the payment too.
    const box = await decided.first().boundingBox();
    await decided.first().click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) - 4 } });
    await page.getByRole('heading', { level: 1, name: 'Rejected' }).waitFor();
    await page.getByText('__proto__').waitFor();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.setViewportSize({ width: 1200, height: 900 });
  });

  it('leaves the focus on a row when a more urgent request appears above it', async () => {
    const { page } = user;
    await page.getByRole('link', { name: 'Review 7 XLM' }).focus();
    const sooner = new Date(service.clock.now().getTime() + 5 * 60_000).toISOString();
    const request = { payment: { amount: '3' }, expires_at: sooner };
    const { request_id } = await pendingRequest(service, stage, request);
    const urgent = page.getByRole('link', { name: 'Review 3 XLM' });
    await urgent.waitFor();
    await expect.poll(focused).toBe('Review 7 XLM');
    await succeed(report(service, stage, request_id, { status: 'rejected' }));
    await urgent.waitFor({ state: 'detached' });
  });

  it('shows the others when one record cannot be drawn', async () => {
    const { page } = user;
    const { waiting } = sections();
    const list = /\/v1\/payment-requests\?(?!.*wait=)/;
    await page.route(list, async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      for (const request of body.payment_requests)
        if (request.payment.amount === '7') request.payment.network = 'a network of tomorrow';
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    await page.getByText('One request cannot be shown.').waitFor();
    await expect.poll(() => waiting.count()).toBe(WAITING);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await expect.poll(() => waiting.count()).toBe(WAITING + 1);
    expect(user.complaints.splice(0).join('\n')).toContain('a network of tomorrow');
  });

  it('shows the outcome of a decision, and leads the keyboard to it', async () => {
    const { page } = user;
    await page.getByRole('link', { name: 'Review 7 XLM' }).click();
    await page.getByText('Expires in').waitFor();
    await expect.poll(() => heard()).toBe('This payment is now waiting.');
    await approvable(page, '7 XLM');
    await tabTo(page, 'Approve 7 XLM');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    await expect.poll(() => heard()).toBe('This payment is now approved.');
    await expect.poll(focused).toBe('Approved');
    expect(await page.getByText('Expires in').count()).toBe(0);
    await expectSoundPage(page);
    await page.goBack();
    await page.getByRole('link', { name: 'Review 1 XLM' }).first().click();
    await tabTo(page, 'Reject');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Reject payment');
    await page.keyboard.press('Enter');
    await page.getByText('Rejected. Nothing was paid.').waitFor();
    await expect.poll(() => heard()).toBe('This payment is now rejected.');
    await expect.poll(focused).toBe('Rejected');
  });

  it('never calls its own approval that of another device, not even while it reads what it knows', async () => {
    const { page } = user;
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Open 7 XLM' }).click();
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.body?.textContent?.includes('Another device of this wallet'))
          console.error('claimed to be another device');
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.reload();
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    expect(user.complaints).toEqual([]);
  });

  it('hands on the link that the service signed, and none that differs from the pinned details', async () => {
    const { page } = user;
    const qr = page.getByRole('img', { name: 'Payment link as a QR code' });
    const open = page.getByRole('link', { name: 'Open in a wallet app' });
    const bare = (await open.getAttribute('href')) ?? '';
    let told = signSep7(bare, 'pay.example', (message) => signEd25519(message, LINK_SEED));
    const path = /\/v1\/payment-requests\/[^/?]+\?/;
    await page.route(path, async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.payment_request.payment_uri = told;
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    await qr.waitFor();
    await expect.poll(() => open.getAttribute('href')).toBe(told);
    for (told of [
      bare.replace('amount=7', 'amount=70'),
      bare.replace(/destination=G\w+/, `destination=${OTHER_ADDRESS}`),
      `${bare}&callback=url%3Ahttps%3A%2F%2Felsewhere.example`,
      signSep7(`${bare}&msg=more`, 'pay.example', (message) => signEd25519(message, LINK_SEED)),
    ]) {
      await page.reload();
      await page.getByText('does not match what you approved').waitFor();
      expect([await qr.count(), await open.count()], told).toEqual([0, 0]);
      await page.locator('code').filter({ hasText: stage.payee.address }).waitFor();
    }
    await expectSoundPage(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('takes an approval back as long as the agent has not fetched its credential', async () => {
    const { page, complaints } = user;
    const { invitationId, claimToken } = await claim(service, stage.agent, stage.device);
    await openTab(page, 'Agents');
    await page.getByRole('link', { name: 'Review' }).click();
    const asking = page.locator('.sheet-agent');
    await asking.getByText('Shopping agent').waitFor();
    // One that asks later never takes the place of the request under the customer's finger.
    const later = await usableAgent(service, stage.merchant, { name: 'Later agent' });
    await claim(service, later, stage.device);
    await page.getByText('Another agent asks after this one.').waitFor();
    await expect.poll(() => asking.innerText()).toContain('Shopping agent');
    await page.getByRole('button', { name: 'Approve connection' }).click();
    await page.getByText('Approved. The agent can fetch its credential now.').waitFor();
    // No button that decides on the next request appears under the finger that approved this one.
    await page.getByRole('button', { name: 'Review the next request' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve connection' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Review the next request' }).click();
    await asking.getByText('Later agent').waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    await asking.waitFor({ state: 'detached' });
    await openTab(page, 'Agents');
    await page.getByRole('link', { name: 'Earlier connection requests' }).click();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('The agent has not fetched its credential yet.').waitFor();
    await expectSoundPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.getByText('Rejected. The agent gets nothing.').waitFor();
    const path = `/v1/connect-invitations/${invitationId}/exchange`;
    const exchanged = await service.call('POST', path, { bearer: claimToken });
    expect([exchanged.status, exchanged.body.error.code]).toEqual([409, 'invitation_closed']);
    await page.getByRole('button', { name: 'Take back' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
