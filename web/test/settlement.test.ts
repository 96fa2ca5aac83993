// Long: observes a chain while two pages follow it.

import { usableAgent } from '@payassent/proof/people/agents';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { newHash, startHorizons } from '@payassent/proof/people/settlements';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import { explorerUrl } from '@payassent/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';
import { signInBrowser } from './harness/portal.ts';
import { agentClient, enrolInBrowser, openTab, pairInBrowser } from './harness/wallet.ts';

/** The observer's pauses grow while it finds nothing, and pages read again after seconds. */
const PATIENT = { timeout: 180_000 };

describe.skipIf(withoutBrowser)(`the settlement on the pages${browserReason}`, { timeout: 600_000 }, () => {
  let observed: TestService;
  let blind: TestService;
  let horizons: StandInHorizon[];
  let closeHorizons: () => Promise<void>;
  let browser: TestBrowser;
  beforeAll(async () => {
    const started = await startHorizons(1);
    ({ horizons, close: closeHorizons } = started);
    [observed, blind, browser] = await Promise.all([
      startService(started.options),
      startService(),
      startBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([observed?.close(), blind?.close()]);
    await closeHorizons?.();
  });

  /** Approves in a wallet and pays with another app: until then the wallet reports only a hash. */
  async function payByHand(service: TestService) {
    const merchant = await verifiedMerchant(service);
    const payee = await activePayee(service, merchant, {});
    const agent = agentClient(service, await usableAgent(service, merchant));
    const { page } = await browser.visitor();
    await enrolInBrowser(page, service.url, 'Tablet');
    const { client } = await pairInBrowser(page, agent);
    const input = { recipient_id: payee.recipientId, payment: { amount: '3' } };
    const { payment_request: request } = await client.paymentRequests.create(input);
    const txHash = newHash();
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 3 XLM' }).click();
    await page.getByRole('button', { name: 'Approve 3 XLM' }).click();
    await page.getByLabel('Transaction hash').fill(txHash);
    await page.getByRole('button', { name: 'Report as sent' }).click();
    const portal = await browser.visitor();
    await signInBrowser(portal, service, merchant.session);
    const query = `connection=${request.connection_id}`;
    await portal.page.goto(`${service.url}/portal/payment-requests/${request.request_id}?${query}`);
    return { client, request, txHash, wallet: page, portal: portal.page };
  }

  async function expectLine(page: Page, state: string, text: string, txHash: string): Promise<void> {
    const line = page.locator(`[data-settlement=${state}]`);
    await line.waitFor(PATIENT);
    await expect.poll(() => line.textContent()).toBe(`${text} · view`);
    const href = await line.getByRole('link', { name: 'view' }).getAttribute('href');
    expect(href).toBe(explorerUrl('stellar_testnet', txHash));
  }

  it('a payment that the chain has is called confirmed on chain, and the wallet reports that automatically', async () => {
    const { client, request, txHash, wallet, portal } = await payByHand(observed);
    await expectLine(wallet, 'unseen', 'Not on the chain so far', txHash);
    for (const horizon of horizons) horizon.has(txHash, request.payment);
    await expectLine(wallet, 'final', 'Confirmed on chain', txHash);
    await wallet.getByText('Paid and confirmed.').waitFor(PATIENT);
    const { payment_request } = await client.paymentRequests.get(request.request_id);
    expect(payment_request.status).toBe('confirmed');
    await portal.reload();
    await expectLine(portal, 'final', 'Confirmed on chain', txHash);
    await portal.locator('.badge[data-tone=good]').getByText('Confirmed on chain').waitFor(PATIENT);
  });

  it('a payment whose chain is not observed is called reported by the wallet, confirmed or not', async () => {
    const { txHash, wallet, portal } = await payByHand(blind);
    const line = ['unchecked', 'Reported by the wallet, not checked', txHash] as const;
    await expectLine(wallet, ...line);
    await expectLine(portal, ...line);
    await wallet.getByRole('button', { name: 'Report as paid' }).click();
    await wallet.getByText('You reported it as paid. No one has checked this on the chain.').waitFor(PATIENT);
    expect(await wallet.getByText('Paid and confirmed.').count()).toBe(0);
    await expectLine(wallet, ...line);
    await portal.reload();
    await expectLine(portal, ...line);
    await portal.locator('.badge[data-tone=plain]').getByText('Reported as paid').waitFor(PATIENT);
    expect(await portal.locator('.badge[data-tone=good]').count()).toBe(0);
  });
});
