// Slow: walks through the wallet by keyboard.
import { type Autonomy, autonomy, draftPolicy } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
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
import { agentClient, tabTo } from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`the wallet without a mouse${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let page: Page;
  let world: Autonomy;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    world = await autonomy(service);
    user = await browser.visitor();
    page = user.page;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const press = async (name: string | RegExp, key = 'Enter') => {
    await tabTo(page, name);
    await page.keyboard.press(key);
  };
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  const expectPage = (title: string) => expect.poll(focused).toBe(title);

  it('joins by a link code', async () => {
    const path = '/v1/wallet-devices/link-codes';
    const { link_code } = (await succeed(service.call('POST', path, { device: deviceOf(world.device) })))
      .body;
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('tab', { name: 'New wallet' }).waitFor();
    await press('New wallet', 'ArrowRight');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Link code');
    await page.keyboard.type(link_code);
    await press('Join this wallet');
    await expectPage('Inbox');
  });

  it('pairs with an agent, and grants less than it requested', async () => {
    const agent = agentClient(service, world.agent);
    const { pairing_session } = await agent.pairing.start({
      requested_scopes: ['payment.requests.create', 'payment.requests.read'],
    });
    const paired = agent.pairing.wait(pairing_session);
    await press('Connect');
    await expectPage('Connect an agent');
    await tabTo(page, 'Code or pairing link');
    await page.keyboard.type(pairing_session.code ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve connection' }).waitFor();
    await press('What it may do (2 of 2)');
    await press('See the outcome of its requests', 'Space');
    await press('Approve connection');
    await page.getByText('Approved. The agent can fetch its credential now.').waitFor();
    expect((await paired).connection.scopes).toEqual(['payment.requests.create']);
    await press('See your agents');
    await expectPage('Agents');
  });

  it('links another device and renews its own credential, and finds back to where it was', async () => {
    await press('Devices');
    await expectPage('Devices');
    await press('Renew credential');
    await page.getByRole('dialog').waitFor();
    await press('Renew');
    await page.getByText('The credential was renewed.').waitFor();
    await expect.poll(focused).toBe('Renew credential');
    await press('Remove');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Remove');
    await press('Link another device');
    await page.getByRole('img', { name: 'Link code as a QR code' }).waitFor();
  });

  it('opts in to a policy after its limits were read', async () => {
    await draftPolicy(service, world);
    await press('Policies');
    await expectPage('Automation policies');
    await page.getByRole('link', { name: 'Review limits' }).waitFor();
    await press('Review limits');
    await expectPage('Policy');
    await press('I have read the limits and the payees', 'Space');
    await press('Opt in to these limits');
    await page.getByRole('dialog').waitFor();
    await press('Opt in');
    await page.getByText('active', { exact: true }).waitFor();
    expect(user.complaints).toEqual([]);
  });
});
