// Slow: follows a merchant and a customer in two browsers.
import { readFile } from 'node:fs/promises';
import { readKeys } from '@payassent/proof/log/public-log';
import { type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { allIntegrated } from '@payassent/proof/people/evidence';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import { verifyEvidence } from '@payassent/protocol/evidence';
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
import { expectSoundPage, PATIENCE, PATIENT, signInBrowser } from './harness/portal.ts';
import { agentClient, enrolInBrowser, openTab } from './harness/wallet.ts';

const HOSTILE_ID = 'order 7/ä%2F?<b>';
const HASH = '5e'.repeat(32);
const MARKUP = '<img src=x onerror=alert(1)>';

describe.skipIf(withoutBrowser)(`a merchant watches while a wallet decides${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let merchant: TestMerchant;
  let payee: TestPayee;
  let agent: TestAgent;
  let connection: ConnectionClient;
  let operator: Visitor;
  let user: Visitor;
  let portal: Page;
  let wallet: Page;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    merchant = await verifiedMerchant(service, { name: 'Harbour Books' });
    payee = await activePayee(service, merchant, { name: 'Harbour Books' });
    agent = await usableAgent(service, merchant, { name: 'Reading assistant' });
    [operator, user] = await Promise.all([browser.visitor(), browser.visitor({ width: 480, theme: 'dark' })]);
    portal = operator.page;
    wallet = user.page;
    await signInBrowser(operator, service, merchant.session);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const ask = async (
    amount: string,
    more: { request_id?: string; display?: Record<string, unknown> } = {},
  ) => {
    const input = { recipient_id: payee.recipientId, payment: { amount }, ...more };
    return (await connection.paymentRequests.create(input)).payment_request.request_id;
  };

  it('sees the connection as soon as the customer has approved it', async () => {
    await portal.goto(`${service.url}/portal/connections`);
    await portal.getByRole('heading', { name: 'No customer is connected yet' }).waitFor();
    await expectSoundPage(portal);
    await enrolInBrowser(wallet, service.url, 'Phone');
    await openTab(wallet, 'Connect');
    await wallet.getByRole('button', { name: 'Make a Connect Key' }).click();
    const key = (await wallet.locator('code').filter({ hasText: 'svc_ck_' }).textContent()) ?? '';
    const connected = agentClient(service, agent).invitations.connect({
      connect_key: key,
      requested_scopes: ['payment.requests.create', 'payment.requests.read'],
    });
    await wallet.getByRole('link', { name: 'Review the request' }).click();
    await wallet.getByRole('button', { name: 'Approve connection' }).click();
    connection = (await connected).client;
    await portal.getByRole('cell', { name: 'Reading assistant' }).waitFor();
    await expectSoundPage(portal);
  });

  it('sees a new request in the open list automatically, and each step of the wallet with its time', async () => {
    await portal.getByRole('link', { name: 'Payment requests', exact: true }).click();
    await portal.getByRole('heading', { name: 'No payment request yet' }).waitFor();
    await openTab(wallet, 'Inbox');
    const items = [{ name: MARKUP, price: '0.3750' }];
    await ask('0.7500', { display: { title: 'Two coffees', items } });
    const row = portal.getByRole('row').filter({ hasText: '0.7500 XLM' });
    await row.getByText('Waiting').waitFor();
    await row.getByRole('link', { name: 'Open the request for 0.7500 XLM' }).click();
    await portal.getByText('Waiting for the customer’s decision').waitFor();
    const pinned = portal.getByRole('region', { name: 'Pinned details' });
    await expect.poll(() => pinned.locator('.address').textContent()).toBe(payee.address);
    await portal.getByText(MARKUP).waitFor();
    await expect
      .poll(() => portal.locator('[data-fact=created-with]').innerText())
      .toBe('Created with: the agent’s key');
    await expectSoundPage(portal);

    await wallet.getByRole('link', { name: 'Review 0.7500 XLM' }).click();
    await expect.poll(() => wallet.locator('[data-fact=created-with]').textContent()).toBe('the agent’s key');
    await wallet.getByRole('button', { name: 'Approve 0.7500 XLM' }).click();
    await portal.getByText('Waiting for the wallet to send it').waitFor();
    await wallet.getByLabel('Transaction hash').fill(HASH);
    await wallet.keyboard.press('Enter');
    await portal.getByText('Waiting for the network to confirm it').waitFor();
    await wallet.getByRole('button', { name: 'Report as paid' }).click();
    await portal.getByText('Final: nothing more can change').waitFor();
    const steps = portal.getByRole('listitem').filter({ has: portal.locator('time') });
    await expect.poll(() => steps.count(), PATIENCE).toBe(4);
    await portal.getByText(HASH).waitFor();
    await expectSoundPage(portal);
    await picture(portal, 'portal-payment-request');
  });

  it('reads who approved what with which key, and takes evidence home that holds without the service', async () => {
    const decided = portal.locator('[data-fact=decided]');
    await expect.poll(() => decided.innerText()).toMatch(/^The customer approved 0\.7500 XLM on /);
    await expect
      .poll(() => portal.locator('[data-fact=signed]').innerText())
      .toContain('with the key of the device');
    await allIntegrated(service);
    const [saved] = await Promise.all([
      portal.waitForEvent('download'),
      portal.getByRole('button', { name: 'Download the evidence' }).click(),
    ]);
    const bundle = await readFile(await saved.path());
    const { ok, claims } = verifyEvidence(new Uint8Array(bundle), { keys: await readKeys(service.url) });
    expect(ok).toBe(true);
    expect(claims).toContainEqual(expect.objectContaining({ claim: 'decision', status: 'holds' }));
    await expect
      .poll(() => portal.locator('[data-command]').innerText())
      .toContain('payassent verify evidence.json --keys svc-keys.json');
  });

  it('finds the command that watches the log on the page of the domain', async () => {
    await portal.goto(`${service.url}/portal/domains`);
    await portal.getByRole('link', { name: merchant.domain }).first().click();
    const command = await portal.locator('[data-command]').innerText();
    expect(command).toBe(
      `payassent monitor --base-url ${service.url} --domain ${merchant.domain} --known known-payees.txt --state log-state.json`,
    );
    await expectSoundPage(portal);
    await portal.goto(`${service.url}/portal/payment-requests`);
  });

  it('sees a rejection with its reason, whatever characters the id has', async () => {
    await openTab(wallet, 'Inbox');
    await ask('3', { request_id: HOSTILE_ID });
    await portal.getByRole('link', { name: 'Payment requests', exact: true }).click();
    await portal.getByRole('link', { name: 'Open the request for 3 XLM' }).click();
    await portal.getByText('Waiting for the customer’s decision').waitFor();
    await portal.reload();
    await portal.getByText('Waiting for the customer’s decision').waitFor();
    await wallet.getByRole('link', { name: 'Review 3 XLM' }).click();
    await wallet.getByRole('button', { name: 'Reject', exact: true }).click();
    await wallet.getByLabel('In your words (optional)').fill('I never ordered this');
    await wallet.getByRole('button', { name: 'Reject payment' }).click();
    await portal.getByText('I never ordered this').waitFor();
    await expect
      .poll(() => portal.locator('[data-fact=decided]').innerText())
      .toMatch(/^The customer rejected 3 XLM on /);
    await expectSoundPage(portal);
  });

  it('finds one status by the filter, and older requests page by page', async () => {
    for (let count = 0; count < 26; count += 1) await ask('1');
    await portal.goto(`${service.url}/portal/payment-requests`);
    await portal.getByRole('button', { name: 'Older' }).click();
    await portal.getByText('Page 2').waitFor();
    await portal.getByRole('row').filter({ hasText: '0.7500 XLM' }).waitFor();
    await portal.getByLabel('Status').selectOption('rejected');
    await expect.poll(() => portal.getByRole('row').count(), PATIENCE).toBe(2);
    await portal.getByRole('link', { name: 'Open the request for 3 XLM' }).waitFor();
    await expectSoundPage(portal);
  });

  it('finds on the overview what happened as drawings, with the numbers as a table', async () => {
    await portal.goto(`${service.url}/portal`);
    await portal
      .getByRole('img', { name: /Stacked bars of 28 requests.*Reported as paid: 1.*Waiting: 26/ })
      .waitFor();
    await portal.getByRole('img', { name: /how many requests were decided/ }).waitFor();
    await portal.getByText('All 28 requests').waitFor();
    const sameAsTable = portal.locator('details').filter({ hasText: 'Show as a table' }).first();
    await sameAsTable.getByText('Show as a table').click();
    // An hour may have begun between two of them: then they are in two rows.
    const rows = sameAsTable.getByRole('row');
    await rows.nth(1).waitFor();
    const totals = await rows.locator('td:last-child').allTextContents();
    expect(totals.reduce((sum, total) => sum + Number(total), 0)).toBe(28);
    await expectSoundPage(portal);
    await picture(portal, 'portal-overview');
  });

  it('sees a notice when the service no longer responds, instead of old news', async () => {
    await portal.goto(`${service.url}/portal/payment-requests`);
    await portal.getByText('Live: updates automatically').waitFor();
    await portal.route('**/v1/payment-requests*', (route) => route.abort());
    await portal.getByText('Not up to date').waitFor({ timeout: 30_000 });
    await portal.getByRole('row').nth(1).waitFor();
    await portal.unroute('**/v1/payment-requests*');
    await portal.getByText('Live: updates automatically').waitFor();
  });

  it('recalls undecided requests, alone and with the archive, and sees before how many they are', async () => {
    const pending = async () =>
      (await connection.paymentRequests.list({ status: 'pending', limit: 100 })).payment_requests;
    const open = (await pending()).map((request) => request.request_id);
    expect(open.length).toBeGreaterThan(1);
    await portal.goto(`${service.url}/portal/recipients/${payee.recipientId}`);
    await portal.getByText(`${open.length} requests to this payee: no decision yet.`).waitFor();
    await portal.getByRole('button', { name: 'Recall them' }).click();
    await portal.getByText(`${open.length} requests can no longer be signed`).waitFor();
    await expectSoundPage(portal);
    await portal.getByRole('button', { name: 'Recall for good' }).click();
    await portal.getByText('no decision yet').waitFor({ state: 'detached' });
    expect(await pending()).toEqual([]);
    const recalled = (await connection.paymentRequests.get(open[0] ?? '')).payment_request;
    expect(recalled).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });

    const last = await ask('2');
    await portal.reload();
    await portal.getByText('1 request to this payee: no decision yet.').waitFor();
    await portal.getByRole('button', { name: 'Archive' }).click();
    await portal.getByLabel('Recall 1 request without a decision').check();
    await expectSoundPage(portal);
    await portal.getByRole('button', { name: 'Archive for good' }).click();
    await portal.getByText('archived for good').first().waitFor();
    const record = (await connection.paymentRequests.get(last)).payment_request;
    expect(record).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });
  });

  it('works at 360 px, and nothing complained', async () => {
    const narrow = await browser.visitor({ width: 360, height: 740 });
    const { page } = narrow;
    await signInBrowser(narrow, service, merchant.session);
    await page.goto(`${service.url}/portal`);
    await page.getByRole('img', { name: /Stacked bars/ }).waitFor();
    await expectNoSidewaysScrolling(page);
    await picture(page, 'portal-overview-360');
    await page.goto(`${service.url}/portal/payment-requests`);
    const links = page.getByRole('link', { name: /Open the request/ });
    await links.first().waitFor();
    await expectNoSidewaysScrolling(page);
    await links.first().click();
    await page.getByRole('region', { name: 'Pinned details' }).waitFor();
    await expectNoSidewaysScrolling(page);
    await picture(page, 'portal-payment-request-360');
    expect(narrow.complaints).toEqual([]);
    // The calls that were cut off on purpose are the browser's only complaint.
    expect(operator.complaints.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
    expect(user.complaints).toEqual([]);
  });
});
