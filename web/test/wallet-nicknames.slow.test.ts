// Slow: visits every page that shows a name.
import { usableAgent } from '@payassent/proof/people/agents';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
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
import { agentClient, enrolInBrowser, expectSoundPage, openTab, pairInBrowser } from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`names that a person gives${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    user = await browser.visitor({ width: 390, height: 844 });
    await enrolInBrowser(user.page, service.url, 'Phone');
    const merchant = await verifiedMerchant(service);
    const agent = await usableAgent(service, merchant, { name: 'Shopper' });
    await pairInBrowser(user.page, agentClient(service, agent));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const give = async (card: Locator, button: string, name: string) => {
    await card.getByRole('button', { name: button }).click();
    await card.getByRole('textbox').fill(name);
    await card.getByRole('button', { name: 'Save' }).click();
  };

  it.each([
    ['Agents', 'Shopper', 'Groceries'],
    ['Devices', 'Phone', 'Old phone'],
  ])(
    'are next to the real name under %s, survive a reload, and can be taken away',
    async (tab, trueName, name) => {
      const { page, complaints } = user;
      await openTab(page, tab);
      const card = page.getByRole('article', { name: trueName });
      await give(card, 'Add your own name', 'shop.example');
      await card.getByText('without dots').waitFor();
      await expectSoundPage(page);
      await card.getByRole('textbox').fill(name);
      await card.getByRole('button', { name: 'Save' }).click();
      const nickname = card.locator('[data-fact=nickname]');
      await nickname.getByText(name).waitFor();
      await expect.poll(() => card.getByRole('heading', { level: 2 }).innerText()).toBe(trueName);
      await page.reload();
      await nickname.getByText(name).waitFor();
      await expectSoundPage(page);
      await picture(page, `wallet-nickname-${tab.toLowerCase()}`);
      await give(card, 'Change your name for it', '');
      await nickname.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );
});
