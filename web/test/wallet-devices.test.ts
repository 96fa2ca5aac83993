// Long: several browsers join, leave and recover one wallet.
import { readFile } from 'node:fs/promises';
import { usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import type { ConnectionClient } from '@payassent/sdk';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import {
  agentClient,
  confirmDevice,
  enrolInBrowser,
  expectSoundPage,
  keepRecoveryCode,
  openTab,
  pairInBrowser,
} from './harness/wallet.ts';

const HASH = '5e'.repeat(32);

describe.skipIf(withoutBrowser)(`the devices of a wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let merchant: TestMerchant;
  let payee: TestPayee;
  let connection: ConnectionClient;
  let recoveryCode: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    merchant = await verifiedMerchant(service, { name: 'Harbour Books' });
    payee = await activePayee(service, merchant, { name: 'Harbour Books' });
    user = await browser.visitor();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const ask = (amount: string) =>
    connection.paymentRequests.create({ recipient_id: payee.recipientId, payment: { amount } });

  it('show the recovery code over every reload, until its last group is typed', async () => {
    const { page } = user;
    await page.goto(`${service.url}/wallet`);
    await page.getByLabel('Name of this device').fill('Kitchen tablet');
    await page.getByRole('button', { name: 'Create wallet' }).click();
    const shown = page.locator('[data-secret=recovery-code]');
    const code = (await shown.textContent()) ?? '';
    expect(code).toMatch(/^svc_rc_\w{49}$/);
    let asked = 0;
    page.on('dialog', async (dialog) => {
      if (dialog.type() === 'beforeunload') asked += 1;
      await dialog.accept();
    });
    await page.reload();
    await expect.poll(() => shown.textContent()).toBe(code);
    expect(asked).toBe(1);
    await expectSoundPage(page);
    await picture(page, 'wallet-recovery-code');
    await page.getByLabel('Last four characters of the code').fill('nope');
    await page.getByRole('button', { name: 'Open the wallet' }).click();
    await page.getByText('These are not the last four characters').waitFor();
    recoveryCode = await keepRecoveryCode(page);
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    expect(await page.content()).not.toContain(code);
  });

  it('hand out a recovery kit to keep and to print, and take the code back as the kit shows it', async () => {
    const { page, context } = await browser.visitor({ width: 390, height: 844 });
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('button', { name: 'Create wallet' }).click();
    const code = (await page.locator('[data-secret=recovery-code]').textContent()) ?? '';
    await picture(page, 'wallet-recovery-code-phone');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download recovery kit' }).click(),
    ]);
    const kit = await readFile(await download.path(), 'utf8');
    const groups = code.match(/.{4}/g)?.join(' ') ?? '';
    expect(kit).toContain(`<code>${groups}</code>`);
    expect(kit).toContain(`${service.url}/wallet`);
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Print' }).click();
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count()).toBe(0);
    await expect.poll(() => page.locator('[data-secret=recovery-code]').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await context.close();
    const other = await browser.visitor();
    const { page: recovering } = other;
    await recovering.goto(`${service.url}/wallet`);
    await recovering.getByRole('tab', { name: 'Recover' }).click();
    const field = recovering.getByRole('textbox', { name: 'Recovery code' });
    const calls: string[] = [];
    recovering.on('request', (call) => calls.push(call.url()));
    await field.fill(withTypo(code));
    await recovering.getByRole('button', { name: 'Recover the wallet' }).click();
    await recovering.getByText('Check for typos: a recovery code has 56 characters').waitFor();
    expect(calls.filter((url) => url.includes('/v1/'))).toEqual([]);
    await expectSoundPage(recovering);
    await field.fill(groups);
    await recovering.getByRole('button', { name: 'Recover the wallet' }).click();
    await recovering.getByRole('heading', { name: 'Keep your recovery code' }).waitFor();
    await other.context.close();
  });

  it('connects an agent for what follows', async () => {
    const agent = agentClient(service, await usableAgent(service, merchant, { name: 'Reading assistant' }));
    const { page } = user;
    connection = (await pairInBrowser(page, agent)).client;
    // Lock and notifications are offered now, until the customer dismisses the offer.
    const offers = page.getByRole('region', { name: 'Two things before the first payment' });
    await offers.getByRole('link', { name: 'Set a PIN' }).waitFor();
    await expectSoundPage(page);
    await openTab(page, 'Inbox');
    await offers.getByRole('button', { name: 'Not now' }).click();
    await offers.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('New requests appear automatically.').waitFor();
    expect(await offers.count()).toBe(0);
    expect((await ask('2')).payment_request.status).toBe('pending');
  });

  it('adds a second device by a link code, lets only one of both pay, removes it, and lets it back by the recovery code', async () => {
    const { page } = user;
    await ask('3');
    await openTab(page, 'Devices');
    await page.getByRole('button', { name: 'Link another device' }).click();
    await page.getByRole('img', { name: 'Link code as a QR code' }).waitFor();
    const code = (await page.locator('code').filter({ hasText: 'svc_lc_' }).textContent()) ?? '';
    await expectSoundPage(page);
    await picture(page, 'wallet-devices');
    await openTab(page, 'Security');
    const activity = page.getByRole('region', { name: 'Recent activity of this wallet' });
    await activity.getByText('This device joined this wallet from 127.0.0.1').waitFor();
    await activity.getByText('This device made a code to link a device').waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-security');
    const second = await browser.visitor({ width: 360, height: 740, theme: 'dark' });
    await second.page.goto(`${service.url}/wallet`);
    await second.page.getByRole('tab', { name: 'Join by link code' }).click();
    await second.page.getByRole('textbox', { name: 'Link code' }).fill(code);
    await second.page.getByLabel('Name of this device').fill('Phone');
    await expectSoundPage(second.page);
    await second.page.getByRole('button', { name: 'Join this wallet' }).click();
    const cannot = second.page.getByText('This device cannot approve yet');
    const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN;
    await cannot.waitFor();
    const waiting = second.page.getByRole('heading', { name: 'Waiting for you' });
    expect(await top(cannot)).toBeLessThan(await top(waiting));
    await second.page.getByRole('link', { name: 'Review 3 XLM' }).click();
    await second.page.locator('.sheet').waitFor();
    await cannot.waitFor();
    expect(await top(cannot)).toBeLessThan(await top(second.page.locator('.sheet')));
    expect(await second.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await second.page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
    await expectSoundPage(second.page);
    // The owner sees on the first device that the second one requested a key, and cancels it.
    await page.getByRole('region', { name: 'The keys of your wallet are about to change' }).waitFor();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Cancel this change' }).click();
    await page.getByRole('button', { name: 'Cancel this change' }).waitFor({ state: 'detached' });
    await confirmDevice(second.page, page);
    await expectSoundPage(second.page);
    await expectSoundPage(page);
    await openTab(second.page, 'Inbox');
    await second.page.getByRole('link', { name: 'Review 3 XLM' }).click();
    await second.page.getByRole('button', { name: 'Approve 3 XLM' }).waitFor();
    await picture(second.page, 'wallet-review-phone-dark');
    await openTab(page, 'Inbox');
    const told = page.locator('.note', { hasText: 'A new device joined this wallet' });
    await told.getByText('Phone').waitFor();
    await expectSoundPage(page);
    await told.getByRole('button', { name: 'It was me' }).click();
    await told.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Review 3 XLM' }).click();
    expect(await told.count()).toBe(0);
    await page.getByRole('button', { name: 'Approve 3 XLM' }).click();
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    await second.page
      .getByRole('button', { name: 'Approve 3 XLM' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await second.page.getByText('Another device of this wallet approved this payment').waitFor();
    // The first device is lost: the second one takes over after a confirmation, reports the outcome of the payment, and
    // can never pay it again.
    await second.page.getByText('Signed on another device').waitFor();
    await second.page.getByRole('button', { name: 'Take over on this device' }).click();
    await second.page.getByText('It may have sent the payment already').waitFor();
    await expectSoundPage(second.page);
    await second.page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
    await second.page.getByLabel('Transaction hash').fill(HASH);
    expect(await second.page.getByRole('img', { name: 'Payment link as a QR code' }).count()).toBe(0);
    await second.page.getByRole('button', { name: 'Report as sent' }).click();
    await second.page.getByRole('button', { name: 'Report as paid' }).waitFor();
    const { events } = await connection.paymentRequests.listEvents();
    expect(events.at(-1)).toMatchObject({ status: 'broadcasted', tx_hash: HASH, takeover: true });
    await openTab(page, 'Devices');
    await page
      .getByRole('article', { name: 'Kitchen tablet' })
      .getByRole('button', { name: 'Renew credential' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await page.getByText('The credential was renewed.').waitFor();
    await page.reload();
    await page.getByRole('article', { name: 'Phone' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the device' }).click();
    await page.getByRole('article', { name: 'Phone' }).waitFor({ state: 'detached' });
    await second.page.getByRole('heading', { name: 'This device was removed' }).waitFor();
    await expectSoundPage(second.page);
    await second.page.getByRole('button', { name: 'Start again on this device' }).click();
    await second.page.getByRole('tab', { name: 'Recover' }).click();
    await second.page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
    await second.page.getByRole('button', { name: 'Recover the wallet' }).click();
    const renewed = await keepRecoveryCode(second.page);
    expect(renewed).toMatch(/^svc_rc_/);
    expect(renewed).not.toBe(recoveryCode);
    await second.page.getByRole('heading', { name: 'Sign out the other devices?' }).waitFor();
    await second.page.getByRole('listitem').filter({ hasText: 'Kitchen tablet' }).waitFor();
    await expectSoundPage(second.page);
    await second.page.getByRole('button', { name: 'Keep them signed in' }).click();
    await second.page.getByRole('article', { name: '3 XLM' }).getByText('sent').waitFor();
    expect(second.complaints).toEqual([]);
    await second.context.close();
  });

  it('makes a new recovery code, and a recovery with it signs out the other devices under the option for that', async () => {
    const owner = await browser.visitor();
    const former = await enrolInBrowser(owner.page, service.url, 'Stolen laptop');
    await openTab(owner.page, 'Security');
    const make = async () => {
      await owner.page.getByRole('button', { name: 'New recovery code' }).click();
      await owner.page.getByRole('button', { name: 'Make a new code' }).click();
    };
    // The service creates a code, and the page is gone before the response arrives.
    const made = new Promise<void>((resolve) => {
      void owner.page.route('**/recovery-code', async (route) => {
        await route.fetch();
        resolve();
      });
    });
    await make();
    await made;
    // In this order: a request that is still held would continue as soon as its route is gone.
    await owner.page.reload();
    await owner.page.unroute('**/recovery-code');
    await owner.page.getByText('Your last recovery code was not shown.').waitFor();
    await expectSoundPage(owner.page);
    await make();
    await owner.page.locator('[data-secret=recovery-code]').waitFor();
    await owner.page.reload();
    const code = await keepRecoveryCode(owner.page);
    expect(code).not.toBe(former);
    await owner.page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
    expect(await owner.page.getByText('Your last recovery code was not shown.').count()).toBe(0);
    await expect.poll(() => owner.page.content()).not.toContain(code);

    const other = await browser.visitor();
    const recover = async (recoveryCode: string) => {
      await other.page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
      await other.page.getByRole('button', { name: 'Recover the wallet' }).click();
    };
    await other.page.goto(`${service.url}/wallet`);
    await other.page.getByRole('tab', { name: 'Recover' }).click();
    await recover(former);
    await other.page.getByText('a newer code replaced it').waitFor();
    await recover(code);
    await keepRecoveryCode(other.page);
    // Not even the second question is lost by a reload.
    await other.page.getByRole('button', { name: 'Sign them all out' }).waitFor();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign them all out' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await owner.page.getByRole('heading', { name: 'This device was removed' }).waitFor();
    await Promise.all([owner.context.close(), other.context.close()]);
  });
});
