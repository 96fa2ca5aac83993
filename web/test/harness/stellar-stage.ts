import { openWindow } from '@payassent/proof/people/autonomy';
import { succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, stellarAddress, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from './browser.ts';
import { startHorizon, type TestHorizon } from './horizon.ts';
import { openTab } from './wallet.ts';

/** A service whose Stellar network is on this machine, a payee on it, and a browser. */
export interface StellarStage {
  service: TestService;
  horizon: TestHorizon;
  browser: TestBrowser;
  merchant: TestMerchant;
  payee: TestPayee;
  /** The payee's account on the network. */
  address: string;
  close(): Promise<void>;
}

export async function stellarStage(
  options: { payeeName?: string; accounts?: readonly string[] } = {},
): Promise<StellarStage> {
  const address = stellarAddress();
  const horizon = await startHorizon([address, ...(options.accounts ?? [])]);
  const [service, browser] = await Promise.all([
    startService({ env: { SVC_HORIZON_URL: horizon.url } }),
    startBrowser(),
  ]);
  const merchant = await verifiedMerchant(service);
  const name = options.payeeName === undefined ? {} : { name: options.payeeName };
  const payee = await activePayee(service, merchant, { address, memo: 'INV-7', ...name });
  const close = async () => {
    await browser.close();
    await service.close();
    await horizon.close();
  };
  return { service, horizon, browser, merchant, payee, address, close };
}

export async function makeTestKey(page: Page): Promise<void> {
  await openTab(page, 'Test key');
  await page.getByRole('button', { name: 'Make a test key' }).click();
  await page.getByRole('button', { name: 'Get lumens from the faucet' }).click();
  await page.getByText('10000.0000000 XLM').waitFor();
}

interface PolicyAgent {
  connectionId: string;
  apiKey: string;
}

/** Proposes a policy of up to 10 XLM a payment for the payee of the stage; returns its id. */
export async function proposePolicy(
  { service, payee }: StellarStage,
  { connectionId, apiKey }: PolicyAgent,
  cumulative_limit: string,
): Promise<string> {
  const body = {
    ...{ connection_id: connectionId, network: 'stellar_testnet', asset: 'XLM', single_tx_limit: '10' },
    ...{ cumulative_limit, validity_window: openWindow(service.clock.now()) },
    allowlist: [{ recipient_id: payee.recipientId }],
  };
  return (await succeed(service.call('POST', '/v1/automation-policies', { apiKey, body }))).body.data.id;
}
