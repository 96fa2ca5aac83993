// Long: a person goes through the whole wallet in a browser, and every state of its pages is checked.

import { usableAgent } from '@payassent/proof/people/agents';
import { createKey, openWindow } from '@payassent/proof/people/autonomy';
import { succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, replacePayee, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import { pairingWebLink } from '@payassent/protocol';
import type { AgentClient, ConnectionClient } from '@payassent/sdk';
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
  approvable,
  enrolInBrowser,
  expectSoundPage,
  openTab,
  plainStorage,
  tabTo,
} from './harness/wallet.ts';

const HASH = '5e'.repeat(32);
const SECRET = /svc_(dt|rc|lc|ck|ct|cl)_/;

describe.skipIf(withoutBrowser)(`the reference wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let merchant: TestMerchant;
  let payee: TestPayee;
  let agent: AgentClient;
  let agentId: string;
  let connection: ConnectionClient;
  let connectionId: string;
  let recoveryCode: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    merchant = await verifiedMerchant(service, { name: 'Harbour Books' });
    payee = await activePayee(service, merchant, { name: 'Harbour Books', memo: 'ORDER-7' });
    const registered = await usableAgent(service, merchant, { name: 'Reading assistant' });
    agent = agentClient(service, registered);
    agentId = registered.agentId;
    user = await browser.visitor();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const ask = async (amount: string, more: Record<string, unknown> = {}) =>
    (
      await connection.paymentRequests.create({
        recipient_id: payee.recipientId,
        payment: { amount },
        ...more,
      })
    ).payment_request;
  const stored = async (requestId: string) =>
    (await connection.paymentRequests.get(requestId)).payment_request;

  it('enrols a device, shows the recovery code once and keeps its secrets out of addresses and plain storage', async () => {
    const { page } = user;
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('tab', { name: 'New wallet' }).waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-enrol');
    recoveryCode = await enrolInBrowser(page, service.url, 'Kitchen tablet');
    expect(recoveryCode).toMatch(/^svc_rc_/);
    await page.getByText('No pending requests').waitFor();
    await expectSoundPage(page);
    await page.reload();
    await page.getByText('No pending requests').waitFor();
    await expect.poll(() => page.content()).not.toContain(recoveryCode);
    expect(await plainStorage(page)).not.toMatch(SECRET);
  });

  it('connects an agent by a Connect Key, with fewer rights than it requested', async () => {
    const { page } = user;
    await openTab(page, 'Connect');
    await page.getByRole('button', { name: 'Make a Connect Key' }).click();
    await page.getByRole('img', { name: 'Connect Key as a QR code' }).waitFor();
    await page.getByText(/Expires in 9:\d\d|Expires in 10:00/).waitFor();
    const key = (await page.locator('code').filter({ hasText: 'svc_ck_' }).textContent()) ?? '';
    await expectSoundPage(page);
    const connected = agent.invitations.connect({
      connect_key: key,
      requested_scopes: [
        'payment.requests.create',
        'payment.requests.read',
        'transaction_contexts.create',
        'transaction_contexts.read',
      ],
    });
    await page.getByRole('link', { name: 'Review the request' }).click();
    await page.getByText(merchant.domain).waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-invitation');
    await page.getByText('What it may do (4 of 4)').click();
    await page.getByLabel('Read its own descriptions again').uncheck();
    await page.getByText('What it may do (3 of 4)').waitFor();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Approve connection' }).click();
    await page.getByText('Approved. The agent can fetch its credential now.').waitFor();
    const made = await connected;
    connection = made.client;
    connectionId = made.connection.connection_id;
    expect(made.connection.scopes).toEqual([
      'payment.requests.create',
      'payment.requests.read',
      'transaction_contexts.create',
    ]);
  });

  it('shows a request automatically, lets it be reviewed and approved with the keyboard alone, and survives a reload', async () => {
    const { page } = user;
    await openTab(page, 'Inbox');
    await page.getByText('No pending requests').waitFor();
    await connection.contexts.create({
      transaction_id: 'order-7',
      title: 'Two novels',
      summary: 'Paperback',
    });
    const request = await ask('12.50', { transaction_id: 'order-7', display: { note: 'Thank you' } });
    await page.getByRole('link', { name: 'Review 12.50 XLM' }).waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-inbox');
    await tabTo(page, 'Review 12.50 XLM');
    await page.keyboard.press('Enter');
    const pinned = page.getByRole('region', { name: 'Pinned details of this payment' });
    await pinned.waitFor();
    const fact = (name: string) => pinned.locator(`[data-fact=${name}]`).textContent();
    await expect.poll(() => fact('amount')).toBe('12.50 XLM');
    await expect.poll(() => fact('payee')).toBe('Harbour Books');
    await expect.poll(() => fact('domain')).toBe(merchant.domain);
    await expect.poll(() => fact('to')).toBe(payee.address);
    await expect.poll(() => fact('memo')).toBe('ORDER-7');
    await page.getByText('Two novels').first().waitFor();
    await page.getByText('First payment to this payee from this wallet').waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-review');
    await approvable(page, '12.50 XLM');
    await tabTo(page, 'Approve 12.50 XLM');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    expect((await stored(request.request_id)).status).toBe('signed');
    // A crash in the middle: the page returns to the same step.
    await page.reload();
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    const link = await page.getByRole('link', { name: 'Open in a wallet app' }).getAttribute('href');
    expect(link).toMatch(/^web\+stellar:pay\?destination=G.*&amount=12\.50&.*memo=ORDER-7/);
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await expectSoundPage(page);
    await picture(page, 'wallet-pay-elsewhere');
    await tabTo(page, 'Open in a wallet app');
    await page.keyboard.press('Tab');
    await page.getByLabel('Transaction hash').focus();
    await page.keyboard.type('no hash');
    await page.keyboard.press('Enter');
    await page.getByText('without spaces').waitFor();
    await page.getByLabel('Transaction hash').fill(HASH);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Report as paid' }).waitFor();
    await tabTo(page, 'Report as paid');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'You reported it as paid' }).waitFor();
    await expectSoundPage(page);
    expect(await stored(request.request_id)).toMatchObject({ status: 'confirmed', tx_hash: HASH });
  });

  it('shows a moved payee first and in red, and takes a second act elsewhere on the page to approve it', async () => {
    const { page } = user;
    const former = payee.address;
    payee = await replacePayee(service, merchant, payee, { memo: 'ORDER-8' });
    const request = await ask('999');
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 999 XLM' }).click();
    const danger = page.getByRole('alert').filter({ hasText: 'not like your earlier payments' });
    await danger.waitFor();
    expect((await danger.textContent()) ?? '').toContain(former);
    await danger.getByText('at least 5 times the highest one so far (12.50 XLM)').waitFor();
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
    expect(await top('[data-fact=danger]')).toBeLessThan(await top('.sheet'));
    for (const calming of ['same address', 'Unchanged since'])
      expect(await page.getByText(calming).count()).toBe(0);
    await expectSoundPage(page);
    await picture(page, 'wallet-review-changes');
    const approve = page.getByRole('button', { name: 'Approve 999 XLM' });
    await page.getByText('First tick the box in the red warning.').waitFor();
    expect(await approve.isDisabled()).toBe(true);
    await tabTo(page, 'I have checked this and want to pay');
    await page.keyboard.press('Space');
    await approvable(page, '999 XLM');
    await page.keyboard.press('Space');
    await page.getByText('First tick the box in the red warning.').waitFor();
    expect(await approve.isDisabled()).toBe(true);
    await tabTo(page, 'Reject');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectSoundPage(page);
    await page.getByLabel('Reason').selectOption('suspicious');
    await page.getByLabel('In your words (optional)').fill('The address is new to me');
    await page.getByRole('button', { name: 'Reject payment' }).press('Enter');
    await page.getByText('Rejected. Nothing was paid.').waitFor();
    await page.getByText('Something looks wrong').waitFor();
    expect(await stored(request.request_id)).toMatchObject({
      status: 'rejected',
      reason: 'suspicious',
      reason_text: 'The address is new to me',
    });
  });

  it('marks a description that was added after the request', async () => {
    const { page } = user;
    const request = await ask('4.04', { transaction_id: 'order-8' });
    expect(request.transaction_context).toEqual({ revision: null });
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 4.04 XLM' }).click();
    await page.getByText('The agent names a description that it has not written yet.').waitFor();
    await connection.contexts.create({ transaction_id: 'order-8', title: 'Late words' });
    await page.reload();
    await page.getByText('Late words').first().waitFor();
    await page.getByText('Added after the request').waitFor();
    await expectSoundPage(page);
  });

  it('never offers approval of details that differ from the pinned ones', async () => {
    const { page } = user;
    const request = await ask('3');
    const other = withTypo(payee.address);
    const path = `**/v1/payment-requests/${request.request_id}?*`;
    await page.route(path, async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.payment_request.payment.to = other;
      await route.fulfill({ response: answer, json: body });
    });
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 3 XLM' }).click();
    await page.getByText('This request cannot be approved').first().waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await picture(page, 'wallet-review-broken');
    await page.unroute(path);
    await page.reload();
    await page.getByRole('button', { name: 'Approve 3 XLM' }).waitFor();
  });

  it('opts in to a policy after a plain-language review, shows its usage, pauses and stops it', async () => {
    const { page } = user;
    const { apiKey } = await createKey(service, merchant.session, agentId);
    const facts = { connection_id: connectionId, network: 'stellar_testnet', asset: 'XLM' };
    const propose = (body: Record<string, unknown>) =>
      succeed(service.call('POST', '/v1/automation-policies', { apiKey, body: { ...facts, ...body } }));
    await propose({
      single_tx_limit: '10',
      cumulative_limit: '25',
      validity_window: openWindow(),
      allowlist: [{ recipient_id: payee.recipientId }],
    });
    await openTab(page, 'Policies');
    await page.getByRole('link', { name: 'Review limits' }).click();
    await page.getByText('One payment may be at most 10 XLM.').waitFor();
    await page.getByText('All payments together may be at most 25 XLM.').waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-policy');
    await page.getByLabel('I have read the limits and the payees').check();
    await page.getByRole('button', { name: 'Opt in to these limits' }).click();
    await page.getByRole('button', { name: 'Opt in', exact: true }).click();
    await page.getByText('active', { exact: true }).waitFor();
    const body = { ...facts, amount: '4', recipient_id: payee.recipientId };
    await succeed(
      service.call('POST', '/v1/agent-payments', { apiKey, body, idempotencyKey: 'usage-of-the-policy' }),
    );
    await page.reload();
    await page.getByRole('img', { name: '4 XLM of 25 XLM used' }).waitFor();
    await expectSoundPage(page);
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 4 XLM' }).click();
    await page.getByText('Left under the policy: 21 XLM.').waitFor();
    await page.getByRole('link', { name: 'See the policy' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop for good' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop for good' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
  });

  it('pairs by code and by link, shows why a foreign link is refused, and explains where there is no camera', async () => {
    const { page } = user;
    const scopes = ['payment.requests.create', 'payment.requests.read'] as const;
    await openTab(page, 'Connect');
    await page.getByRole('button', { name: 'Scan a QR code' }).click();
    await page.getByText('No camera can be used here.').waitFor();
    await expectSoundPage(page);
    await page.keyboard.press('Escape');
    const field = page.getByLabel('Code or pairing link');
    await field.fill(
      `svc://pair?session=pair_x&code=BCDFGHJK&origin=${encodeURIComponent('https://else.example')}`,
    );
    await field.press('Enter');
    await page.getByText('belongs to another service (https://else.example)').waitFor();
    const byCode = await agent.pairing.start({ requested_scopes: scopes });
    await field.fill((byCode.pairing_session.code ?? '').toLowerCase());
    await field.press('Enter');
    await page.getByText('Reading assistant').waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejected. The agent gets nothing.').waitFor();
    await page.getByRole('button', { name: 'Connect an agent' }).click();
    const byLink = await agent.pairing.start({ requested_scopes: scopes });
    const paired = agent.pairing.wait(byLink.pairing_session);
    await field.fill(byLink.pairing_session.pairing_uri ?? '');
    await field.press('Enter');
    await page.getByText('You decide on each one, unless you later accept a policy').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    // What agents show as a QR code: a phone without the app opens it too.
    await field.fill(pairingWebLink(byLink.pairing_session.pairing_uri ?? ''));
    await field.press('Enter');
    await page.getByRole('button', { name: 'Approve connection' }).click();
    await page.getByRole('link', { name: 'See your agents' }).click();
    expect((await paired).connection.scopes).toEqual([...scopes]);
  });

  it('pauses, renews and revokes a connection and shows what follows', async () => {
    const { page } = user;
    const card = page.getByRole('article', { name: 'Reading assistant' }).last();
    await card.waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-agents');
    await card.getByRole('button', { name: 'Pause' }).click();
    await card.getByRole('button', { name: 'Resume' }).waitFor();
    await expect(ask('5')).rejects.toMatchObject({ code: 'connection_paused' });
    await card.getByRole('button', { name: 'Resume' }).click();
    await card.getByRole('button', { name: 'Pause' }).waitFor();
    await card.getByRole('button', { name: 'Renew credential' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await card.getByText('Renewed.').waitFor();
    const waiting = await ask('6');
    await card.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Pending requests are rejected.').waitFor();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Revoke for good' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    await expect(stored(waiting.request_id)).rejects.toMatchObject({ code: 'token_revoked' });
    await openTab(page, 'Inbox');
    await page.getByRole('article', { name: '6 XLM' }).getByText('rejected').waitFor();
  });

  it('keeps only static files, with which it opens without a network', async () => {
    const { page, context, complaints } = user;
    const kept = await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toContain('/wallet');
    expect(kept.filter((path) => path !== '/wallet' && !path.startsWith('/web/assets/'))).toEqual([]);
    expect(await plainStorage(page)).not.toMatch(SECRET);
    expect(complaints).toEqual([]);
    await context.setOffline(true);
    await page.reload();
    // The page loaded without a network. Chromium loses its emulated state at a reload, so it is set again.
    await page.getByRole('heading').first().waitFor();
    await context.setOffline(false);
    await context.setOffline(true);
    await page.getByText('You are offline. What you see may be old').waitFor();
    await context.setOffline(false);
  });
});
