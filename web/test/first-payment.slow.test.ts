// Slow: walks from an empty browser to a payment, with two browsers.
import { usableAgent } from '@payassent/proof/people/agents';
import { uniqueDomain, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, stellarAddress } from '@payassent/proof/people/payees';
import { activeEndpoint, answering } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  noteClicks,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';
import { startHorizon, type TestHorizon } from './harness/horizon.ts';
import {
  activateVersion,
  button,
  domainProved,
  inspect,
  link,
  pageTitled,
  registerDomain,
  signUp,
} from './harness/onboarding.ts';
import { PATIENT, signInBrowser } from './harness/portal.ts';
import { agentClient, createWallet, expectSoundPage } from './harness/wallet.ts';

const MERCHANT_CLICKS = 18;
const WALLET_CLICKS = 6;
const PATIENT_MS = 60_000;

describe.skipIf(withoutBrowser)(`the way to a first payment${browserReason}`, PATIENT, () => {
  let service: TestService;
  let horizon: TestHorizon;
  let browser: TestBrowser;
  let receiver: TestReceiver;
  const address = stellarAddress();

  beforeAll(async () => {
    horizon = await startHorizon([address]);
    [service, browser, receiver] = await Promise.all([
      startService({ env: { SVC_HORIZON_URL: horizon.url } }),
      startBrowser(),
      startHttpReceiver(),
    ]);
    receiver.script(answering());
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), horizon?.close(), receiver?.close()]);
  });

  /** From the portal's link into a new, connected wallet that reviews the request. */
  async function connectNewWallet(wallet: Page, amount: string): Promise<void> {
    wallet.setDefaultTimeout(PATIENT_MS);
    await createWallet(wallet, 'Phone');
    // The code is removed from the address as soon as it is read.
    await button(wallet, 'Approve connection').waitFor();
    expect(wallet.url()).toBe(`${service.url}/wallet/connect`);
    await button(wallet, 'Approve connection').click();
    await wallet.getByRole('link', { name: `Review ${amount} XLM` }).click();
  }

  async function payByTestKey(wallet: Page, amount: string): Promise<void> {
    await button(wallet, 'Make a test key with play money').click();
    await wallet.getByText('This browser will sign with its test key').waitFor();
    await wallet.getByRole('button', { name: `Approve ${amount} XLM` }).click();
    await wallet.getByText('Paid and confirmed.').waitFor();
  }

  it(`takes a merchant from nothing to a confirmed test payment in at most ${MERCHANT_CLICKS} clicks`, async () => {
    const { page, context, complaints } = await browser.visitor();
    page.setDefaultTimeout(PATIENT_MS);
    const pressed = await noteClicks(context);
    const domain = uniqueDomain();
    await signUp(page, service, uniqueEmail());
    expect(pressed, 'all are noted').toHaveLength(3);
    const { record, value } = await registerDomain(page, domain, `https://${domain}/`);
    service.dns.set(record, 'TXT', [value]);
    await domainProved(page);
    await link(page, 'Create a payee').click();
    await pageTitled(page, 'Create a payee');
    await page.getByLabel('Address').fill(address);
    await button(page, 'Create the payee').click();
    await activateVersion(page);
    await link(page, 'Send yourself a test request').click();
    await button(page, 'Start the test').click();
    const [wallet] = await Promise.all([context.waitForEvent('page'), link(page, 'Open the wallet').click()]);
    await connectNewWallet(wallet, '1');
    await payByTestKey(wallet, '1');
    await page.getByText('The wallet reports it as paid. Everything works.').waitFor();
    expect([...horizon.applied.values()]).toContainEqual({
      destination: address,
      amount: '1.0000000',
      memo: '',
    });
    expect(pressed.length, pressed.join(', ')).toBeLessThanOrEqual(MERCHANT_CLICKS);
    expect(complaints).toEqual([]);
  });

  it(`takes a wallet from nothing to an approved payment in at most ${WALLET_CLICKS} clicks`, async () => {
    const merchant = await verifiedMerchant(service);
    const payee = await activePayee(service, merchant, { address });
    const agent = agentClient(service, await usableAgent(service, merchant));
    const { pairing_session: started } = await agent.pairing.start({
      requested_scopes: ['payment.requests.create', 'payment.requests.read'],
    });
    const { page, context, complaints } = await browser.visitor({ width: 390, height: 844 });
    const pressed = await noteClicks(context);
    const asked = agent.pairing.wait(started).then(async ({ client }) => {
      const input = { recipient_id: payee.recipientId, payment: { amount: '2' } };
      return { client, id: (await client.paymentRequests.create(input)).payment_request.request_id };
    });
    await page.goto(`${service.url}/wallet/connect#${started.code}`);
    await connectNewWallet(page, '2');
    await payByTestKey(page, '2');
    const { client, id } = await asked;
    expect((await client.paymentRequests.get(id)).payment_request.status).toBe('confirmed');
    expect(pressed).not.toHaveLength(0);
    expect(pressed.length, pressed.join(', ')).toBeLessThanOrEqual(WALLET_CLICKS);
    expect(complaints).toEqual([]);
  });

  it('shows a test request live to its webhook, keeps nothing of its key, and leaves no working one', async () => {
    const merchant = await verifiedMerchant(service);
    await activePayee(service, merchant, { address });
    await activeEndpoint(service, merchant, receiver);
    const operator = await browser.visitor();
    const { page } = operator;
    page.setDefaultTimeout(PATIENT_MS);
    await signInBrowser(operator, service, merchant.session);
    await page.goto(`${service.url}/portal/test-request`);
    await button(page, 'Start the test').waitFor();
    await inspect(page, 'test-start');
    await button(page, 'Start the test').click();
    const opener = link(page, 'Open the wallet');
    await opener.waitFor();
    await inspect(page, 'test-pairing');

    const { page: wallet } = await browser.visitor();
    await wallet.goto(`${service.url}${await opener.getAttribute('href')}`);
    await connectNewWallet(wallet, '1');
    await page.getByText('It is in the wallet now.').waitFor();
    await inspect(page, 'test-asked');
    await button(wallet, 'Make a test key with play money').waitFor();
    await expectSoundPage(wallet);
    horizon.refusal = 'busy';
    await button(wallet, 'Make a test key with play money').click();
    await wallet.getByText('The faucet gave nothing.').waitFor();
    horizon.refusal = undefined;
    await payByTestKey(wallet, '1');
    await page.getByText('The wallet reports it as paid. Everything works.').waitFor();
    const deliveries = page.getByRole('region', { name: 'Webhook deliveries' });
    await deliveries.getByText('Delivered').first().waitFor();
    await inspect(page, 'test-confirmed');

    const kept = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
    ]);
    expect(kept).toEqual([]);
    expect(await keysOf(merchant.merchantId)).toEqual(['revoked']);
    // The agent of the test request does not count as the merchant's own.
    await link(page, 'Overview').first().click();
    await link(page, 'Go to agents').waitFor();
  });

  const keysOf = async (merchantId: string): Promise<string[]> => {
    const rows = await service.db`
      select c.status from agent_credentials c join agents a using (agent_id)
      where a.merchant_id = ${merchantId} order by c.created_at`;
    return rows.map(({ status }) => status);
  };

  it('ends a test that the wallet refuses or the merchant leaves, and uses its agent again', async () => {
    const merchant = await verifiedMerchant(service);
    const operator = await browser.visitor();
    const { page } = operator;
    page.setDefaultTimeout(PATIENT_MS);
    await signInBrowser(operator, service, merchant.session);
    await page.goto(`${service.url}/portal/test-request`);
    await page.getByText('No active payee on a test network').waitFor();
    await inspect(page);
    await activePayee(service, merchant, { address });
    await page.reload();
    await button(page, 'Start the test').click();
    const opener = link(page, 'Open the wallet');
    const { page: wallet } = await browser.visitor();
    await wallet.goto(`${service.url}${await opener.getAttribute('href')}`);
    await createWallet(wallet, 'Laptop');
    await button(wallet, 'Reject').click();
    await page.getByText('The wallet rejected the connection').waitFor();
    await inspect(page, 'test-refused');
    await button(page, 'Start the test').click();
    await opener.waitFor();
    await link(page, 'Overview').first().click();
    await pageTitled(page, 'Overview');
    await expect
      .poll(() => keysOf(merchant.merchantId), { timeout: PATIENT_MS })
      .toEqual(['revoked', 'revoked']);
    const agents = await service.db`select agent_id from agents where merchant_id = ${merchant.merchantId}`;
    expect(agents).toHaveLength(1);
  });

  it('offers first the networks that can be activated here, and the others on request', async () => {
    const merchant = await verifiedMerchant(service);
    const operator = await browser.visitor();
    const { page } = operator;
    await signInBrowser(operator, service, merchant.session);
    await page.goto(`${service.url}/portal/recipients/new`);
    const field = page.getByLabel('Network');
    await field.waitFor();
    const names = () => field.locator('option').allTextContents();
    await expect
      .poll(() => names())
      .toEqual(['Stellar testnet', 'Other networks, which cannot be activated here …']);
    await field.selectOption({ label: 'Other networks, which cannot be activated here …' });
    await expect.poll(async () => (await names()).length).toBeGreaterThan(20);
    expect((await names())[0]).toBe('Stellar testnet');
    await field.selectOption({ label: 'Bitcoin (cannot be activated here)' });
    await page.getByLabel('Asset', { exact: true }).waitFor();
    await expectSoundPage(page);
  });
});
