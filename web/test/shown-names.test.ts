import { usableAgent } from '@payassent/proof/people/agents';
import { openWindow } from '@payassent/proof/people/autonomy';
import { succeed, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { type PaymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { CLAIMING_NAMES, CLAIMS } from '@payassent/proof/surroundings/hostile-inputs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { agentClient, openDetails, openTab } from './harness/wallet.ts';

/** Every text that is drawn or read aloud. */
async function wordsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const labels = [...document.querySelectorAll('[aria-label], [title], option')].map(
      (element) =>
        `${element.getAttribute('aria-label')} ${element.getAttribute('title')} ${element.textContent}`,
    );
    return `${document.title}\n${document.body.textContent}\n${labels.join('\n')}`;
  });
}

describe.skipIf(withoutBrowser)(`a name with a claim that is reserved for the page${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let stage: PaymentStage;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const merchant = await verifiedMerchant(service, { name: CLAIMING_NAMES.merchant });
    const [payee, agent, device] = await Promise.all([
      activePayee(service, merchant, { name: CLAIMING_NAMES.payee }),
      usableAgent(service, merchant, { name: CLAIMING_NAMES.agent }),
      enrolDevice(service),
    ]);
    stage = { merchant, payee, agent, device, ...(await connect(service, agent, device)) };
    user = await browser.visitor();
    const path = '/v1/wallet-devices/link-codes';
    const { link_code } = (await succeed(service.call('POST', path, { device: deviceOf(device) }))).body;
    await user.page.goto(`${service.url}/wallet`);
    await user.page.getByRole('tab', { name: 'Join by link code' }).click();
    await user.page.getByRole('textbox', { name: 'Link code' }).fill(link_code);
    await user.page.getByRole('button', { name: 'Join this wallet' }).click();
    await user.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const expectWithheld = async (where: string) => {
    await user.page.getByText('(name not shown)').first().waitFor({ state: 'attached' });
    expect(await wordsOf(user.page), where).not.toMatch(CLAIMS);
  };

  it('is on no page of the wallet', async () => {
    const { page } = user;
    await pendingRequest(service, stage, { payment: { amount: '250' } });
    await page.getByRole('link', { name: 'Review 250 XLM' }).waitFor();
    await expectWithheld('inbox');
    await page.getByRole('link', { name: 'Review 250 XLM' }).click();
    await openDetails(page);
    await expectWithheld('approval sheet');
    await openTab(page, 'Agents');
    await page.getByText('active', { exact: true }).waitFor();
    await expectWithheld('agents');
    const agent = agentClient(service, stage.agent);
    const { pairing_session } = await agent.pairing.start({ requested_scopes: ['payment.requests.read'] });
    await openTab(page, 'Connect');
    await page.getByLabel('Code or pairing link').fill(pairing_session.code ?? '');
    await page.getByRole('button', { name: 'Find the agent' }).click();
    await page.getByRole('button', { name: 'Approve connection' }).waitFor();
    await expectWithheld('connect');
  });

  it('is on no page about its policies', async () => {
    const { page } = user;
    const body = {
      connection_id: stage.connectionId,
      ...{ network: 'stellar_testnet', asset: 'XLM', single_tx_limit: '5', cumulative_limit: '20' },
      validity_window: openWindow(),
      allowlist: [{ recipient_id: stage.payee.recipientId }],
    };
    const sent = { device: deviceOf(stage.device), body };
    const { data } = (await succeed(service.call('POST', '/v1/automation-policies', sent))).body;
    await openTab(page, 'Policies');
    await page.getByRole('link', { name: /Review/ }).waitFor();
    await expectWithheld('policies');
    await page.goto(`${service.url}/wallet/policies/${data.id}`);
    await page.getByLabel('I have read the limits and the payees').waitFor();
    await expectWithheld('policy');
  });

  it('is in no activity, spending or receipt', async () => {
    const { page } = user;
    const { request_id } = await pendingRequest(service, stage, { payment: { amount: '3' } });
    for (const status of ['signed', 'broadcasted', 'confirmed'])
      await succeed(report(service, stage, request_id, { status }));
    await openTab(page, 'Activity');
    await page.getByRole('article', { name: '3 XLM' }).waitFor();
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll('details')) folded.open = true;
    });
    await page.getByRole('columnheader', { name: 'Agent' }).waitFor();
    await expectWithheld('activity');
    await page.getByRole('link', { name: 'Open 3 XLM' }).click();
    await page.getByRole('link', { name: 'Receipt' }).click();
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    await expectWithheld('receipt');
    expect(user.complaints).toEqual([]);
  });
});
