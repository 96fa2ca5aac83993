// Slow: opens ten requests on a phone in a browser.

import { usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, replacePayee, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { ConnectionClient } from '@payassent/sdk';
import type { Page } from 'playwright-core';
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
  openTab,
  outOfSight,
  pairInBrowser,
} from './harness/wallet.ts';

const PHONE = { width: 390, height: 844 };

interface Prepared {
  /** Which payee, as it was when it was paid or as it is now. */
  payee: 'books' | 'tea' | 'fresh' | 'imitated';
  amount: string;
  purpose?: string;
  /** What is unusual about it: these words are on the first screen. */
  unusual: RegExp;
  /** How many acts of a person an approval takes. */
  acts: 1 | 2;
}

/** Two are hostile and two have changed since the last payment; the others are what a week brings. */
const PREPARED: ReadonlyArray<readonly [what: string, request: Prepared]> = [
  [
    'a payee that was paid before',
    { payee: 'books', amount: '11', purpose: 'Two paperbacks', unusual: /address was set .* ago/, acts: 1 },
  ],
  [
    'another payment to the same payee',
    { payee: 'books', amount: '12', purpose: 'A gift card', unusual: /address was set .* ago/, acts: 1 },
  ],
  [
    'a payee that was never paid',
    { payee: 'fresh', amount: '9', purpose: 'A ticket', unusual: /First payment to this payee/, acts: 1 },
  ],
  [
    'a small sum to a new payee',
    { payee: 'fresh', amount: '0.5', purpose: 'A coffee', unusual: /First payment to this payee/, acts: 1 },
  ],
  [
    'a request without a purpose',
    { payee: 'books', amount: '13', unusual: /The agent does not say what for/, acts: 1 },
  ],
  [
    'a purpose that claims what only the page may say',
    {
      payee: 'books',
      amount: '14',
      purpose: 'Refund to you: +250.00 XLM ✔ verified',
      unusual: /What for: see the agent’s words below/,
      acts: 1,
    },
  ],
  [
    'changed: ten times the highest amount so far',
    { payee: 'books', amount: '100', purpose: 'A shelf', unusual: /at least 5 times the highest/, acts: 2 },
  ],
  [
    'changed: the address of a payee that was paid before',
    { payee: 'tea', amount: '8', purpose: 'Green tea', unusual: /go to another address/, acts: 2 },
  ],
  [
    'hostile: an urgent purpose for a changed address',
    {
      payee: 'tea',
      amount: '79',
      purpose: 'URGENT, pay at once',
      unusual: /go to another address/,
      acts: 2,
    },
  ],
  [
    'hostile: a name that only looks like that of a payee that was paid before',
    { payee: 'imitated', amount: '10', purpose: 'Two paperbacks', unusual: /name looks the same/, acts: 2 },
  ],
];

describe.skipIf(withoutBrowser)(`ten prepared requests on a phone${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  const payees: Partial<Record<Prepared['payee'], { payee: TestPayee; merchant: TestMerchant }>> = {};
  const connections: Partial<Record<Prepared['payee'], ConnectionClient>> = {};

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    user = await browser.visitor(PHONE);
    await enrolInBrowser(user.page, service.url, 'Phone');
    await prepare('books', 'Harbour Books', 'harbour-books.example');
    await prepare('tea', 'Tea House', 'tea-house.example');
    await prepare('fresh', 'City Museum', 'city-museum.example');
    // The first vowel is a Cyrillic one.
    await prepare('imitated', 'H\u0430rbour Books', 'books-harbour.example');
    await pay('books', '10');
    await pay('tea', '7');
    const { tea } = payees;
    if (tea !== undefined) await replacePayee(service, tea.merchant, tea.payee);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const prepare = async (what: Prepared['payee'], name: string, domain: string) => {
    await openTab(user.page, 'Inbox');
    const merchant = await verifiedMerchant(service, { name, domain });
    payees[what] = { merchant, payee: await activePayee(service, merchant, { name }) };
    const agent = agentClient(service, await usableAgent(service, merchant, { name: 'Concierge' }));
    connections[what] = (await pairInBrowser(user.page, agent)).client;
  };
  const open = async ({ payee, amount, purpose }: Pick<Prepared, 'payee' | 'amount' | 'purpose'>) => {
    const connection = connections[payee];
    const made = await connection?.paymentRequests.create({
      recipient_id: payees[payee]?.payee.recipientId ?? '',
      payment: { amount },
      ...(purpose === undefined ? {} : { display: { purpose } }),
    });
    const { request_id: id = '', connection_id = '' } = made?.payment_request ?? {};
    await user.page.goto(`${service.url}/wallet/requests/${id}?connection=${connection_id}`);
    await user.page.locator('.decision-bar').getByRole('button').nth(1).waitFor();
    return async () => (await connection?.paymentRequests.get(id))?.payment_request.status;
  };
  const pay = async (payee: Prepared['payee'], amount: string) => {
    const { page } = user;
    await open({ payee, amount });
    await approvable(page, `${amount} XLM`);
    await page.getByRole('button', { name: `Approve ${amount} XLM` }).click();
    await page.getByLabel('Transaction hash').fill('ab'.repeat(32));
    await page.getByRole('button', { name: 'Report as sent' }).click();
    await page.getByRole('button', { name: 'Report as paid' }).click();
    await page.getByRole('heading', { level: 1, name: 'You reported it as paid' }).waitFor();
  };

  it.each(PREPARED)(
    'shows of %s who, what for, how much and what is unusual, and needs the right number of acts',
    async (what, request) => {
      const { page, complaints } = user;
      const status = await open(request);
      const { amount, purpose, unusual, acts } = request;
      const approve = page.getByRole('button', { name: `Approve ${amount} XLM` });
      await page.getByText('Checking payee and earlier payments').waitFor({ state: 'detached' });
      const seen = await wordsInSight(page);
      expect(seen).toContain('Concierge');
      expect(seen).toContain(`${amount} XLM`);
      if (purpose !== undefined && !/✔/.test(purpose)) expect(seen).toContain(purpose);
      expect(seen).toMatch(/[\w-]+\.example/);
      expect(seen).toMatch(unusual);
      await picture(page, `prepared-${PREPARED.findIndex(([other]) => other === what) + 1}`);
      if (acts === 1) {
        expect(await outOfSight(page)).toEqual([]);
        await approvable(page, `${amount} XLM`);
        return;
      }
      // However often the first act is repeated, nothing is approved.
      expect(await approve.isDisabled()).toBe(true);
      for (let pressed = 0; pressed < 3; pressed += 1) await approve.click({ force: true });
      await page.keyboard.press('Enter');
      expect(await status()).toBe('pending');
      await page.getByLabel('I have checked this and want to pay').check();
      await approvable(page, `${amount} XLM`);
      expect(await status()).toBe('pending');
      expect(complaints).toEqual([]);
    },
  );
});

/** The words that lie whole in the window while nothing was scrolled, and under nothing else. */
function wordsInSight(page: Page): Promise<string> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, top, bottom, height } = range.getBoundingClientRect();
      if (node.parentElement?.checkVisibility({ visibilityProperty: true }) !== true) continue;
      if (height === 0 || top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) continue;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (hit !== null && (hit.contains(node) || node.parentElement.contains(hit)))
        words.push(node.textContent ?? '');
    }
    return words.join(' ').replace(/\s+/g, ' ').replaceAll(' . ', '.');
  });
}
