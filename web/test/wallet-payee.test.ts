// Long: the wallet in a browser checks payees in the log, with and without a network.
import { deleteDomain, succeed } from '@payassent/proof/people/merchants';
import { createPayee, verifyPayee } from '@payassent/proof/people/payees';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { expectSoundPage, openDetails, openTab } from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`the review of a payee in the wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let stage: PaymentStage;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    user = await browser.visitor();
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

  async function review(page: Page, amount: string): Promise<void> {
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: `Review ${amount} XLM` }).click();
    await openDetails(page);
  }

  it('shows whether the domain itself names the payee, and how long ago it changed', async () => {
    const { page } = user;
    await pendingRequest(service, stage, { payment: { amount: '31' } });
    await review(page, '31');
    await page
      .getByText('Only the domain was proved: the address is the merchant’s statement')
      .first()
      .waitFor();
    await expect
      .poll(() => page.locator('[data-fact=payee-changed]').innerText())
      .toMatch(/^\d+ (second|minute)s? ago$/);
    await expectSoundPage(page);

    const { merchant } = stage;
    const { recipient, recipient_version } = (await createPayee(service, merchant)).body;
    const place = {
      recipientId: recipient.recipient_id,
      recipientVersionId: recipient_version.recipient_version_id,
      version: recipient.version,
    };
    service.dns.set(`_svc-payee.${merchant.domain}`, 'TXT', [recipient_version.payee_record]);
    const { evidence } = (await succeed(verifyPayee(service, merchant, place))).body;
    const path = `/v1/recipients/${place.recipientId}/versions/${place.recipientVersionId}/activate`;
    const { evidence_id, evidence_digest } = evidence;
    const body = { evidence_id, evidence_digest, version: place.version };
    await succeed(service.call('POST', path, { session: merchant.session, body }));
    await pendingRequest(
      service,
      { ...stage, payee: { ...stage.payee, ...place } },
      { payment: { amount: '32' } },
    );
    await review(page, '32');
    await page.getByText('Payee address proved in the domain’s own record').waitFor();
  });

  it('calls a payee verified only after finding it in the transparency log, and marks a log that cannot be read', async () => {
    const { page } = user;
    await pendingRequest(service, stage, { payment: { amount: '35' } });
    await review(page, '35');
    await page.locator('[data-fact=log][data-state=verified]').waitFor();
    await page.getByText('Verified domain').waitFor();
    await expectSoundPage(page);
    await page.route('**/evidence*', (route) => route.abort());
    await page.reload();
    await openDetails(page);
    await page.locator('[data-fact=log][data-state=unreachable]').waitFor();
    await page.getByText('only the service vouches for this payee').waitFor();
    await page.getByText('Domain, as the service states').waitFor();
    expect(await page.getByText('Verified domain').count()).toBe(0);
    await page.getByRole('button', { name: 'Approve 35 XLM' }).waitFor();
    await expectSoundPage(page);
    await page.unroute('**/evidence*');

    // Another log than the one that this wallet has seen.
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open('countersign-wallet');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const change = opening.result.transaction('device', 'readwrite');
            const store = change.objectStore('device');
            const known = store.get('log');
            known.onsuccess = () => store.put({ ...known.result, root: new Uint8Array(32) }, 'log');
            change.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );
    await page.reload();
    await openDetails(page);
    await page.locator('[data-fact=log][data-state=forked]').waitFor();
    await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Trust the log as it is now' }).click();
    await page.getByRole('button', { name: 'Trust it' }).click();
    await page.getByRole('button', { name: 'Approve 35 XLM' }).waitFor();
    await page.locator('[data-fact=log][data-state=verified]').waitFor();
  });

  it('lets approval wait for its checks, then names the missing ones and leaves the decision to the person', async () => {
    const { page } = user;
    await pendingRequest(service, stage, { payment: { amount: '36' } });
    await review(page, '36');
    const approve = page.getByRole('button', { name: 'Approve 36 XLM' });
    await expect.poll(() => approve.isEnabled()).toBe(true);
    // No response at all.
    await page.route('**/evidence*', () => undefined);
    await page.reload();
    await page.getByText('Checking payee and earlier payments').waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await page.locator('[data-proof=logged]').count()).toBe(0);
    await page.getByText('Not checked: the transparency log.').waitFor();
    await expect.poll(() => approve.isEnabled()).toBe(true);
    await expectSoundPage(page);
    await page.unroute('**/evidence*');
  });

  it('shows before the decision that the same was requested before, and whether the agent means it', async () => {
    const { page } = user;
    const first = await pendingRequest(service, stage, { payment: { amount: '41.5' } });
    await pendingRequest(service, stage, { payment: { amount: '41.50' }, duplicate_of: first.request_id });
    await review(page, '41.50');
    const notes = page.getByRole('region', { name: 'Warnings' });
    await notes.getByText('Possible duplicate: the same amount to the same payee').waitFor();
    await notes.getByText('According to the agent this is a second payment on purpose').waitFor();
    const earlier = notes.getByRole('link', { name: /^41\.5 XLM, requested on .*, waiting$/ });
    await expect.poll(() => earlier.count()).toBe(2);
    await expect.poll(() => earlier.first().getAttribute('href')).toContain(first.request_id);
    await expectSoundPage(page);
  });

  it('offers no approval of an amount that the network cannot carry', async () => {
    const { page } = user;
    await pendingRequest(service, stage, { payment: { amount: '922337203685.4775808' } });
    await review(page, '922337203685.4775808');
    await page.getByText('The network cannot carry this amount. It cannot be approved.').waitFor();
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await expectSoundPage(page);
  });

  it('shows a renamed merchant with its previous name, on the review and in the list, until it was seen', async () => {
    const { page } = user;
    const { session } = stage.merchant;
    const { version } = (await succeed(service.call('GET', '/v1/merchants/current', { session }))).body
      .merchant;
    const body = { name: 'Harbour Books Worldwide', version };
    await succeed(service.call('PATCH', '/v1/merchants/current', { session, body }));
    await pendingRequest(service, stage, { payment: { amount: '33' } });
    await review(page, '33');
    const note = page.locator('[data-fact=renamed]');
    await note.waitFor();
    await expect.poll(() => note.innerText()).toContain(stage.merchant.name);
    await expect.poll(() => note.innerText()).toContain('Harbour Books Worldwide');
    await expectSoundPage(page);
    await openTab(page, 'Agents');
    await note.waitFor();
    await page.getByRole('button', { name: 'I have seen the new name' }).click();
    await note.waitFor({ state: 'detached' });
  });

  it('takes the verified domain away from an open request when the merchant has lost it', async () => {
    const { page } = user;
    await pendingRequest(service, stage, { payment: { amount: '34' } });
    await review(page, '34');
    await page.locator('[data-fact=domain]').waitFor();
    await deleteDomain(service, stage.merchant);
    await page.getByText('no verified domain').waitFor({ timeout: 15_000 });
    await page.getByText('No domain vouches for this payee').waitFor();
    expect(await page.locator('[data-fact=domain]').count()).toBe(0);
  });
});
