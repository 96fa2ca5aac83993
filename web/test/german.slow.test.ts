// Slow: visits every area in German.
import { usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, tokenIn, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeViolations,
  browserReason,
  expectNoSidewaysScrolling,
  expectSoundPage,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';
import { PAGES, readTexts, textsIn } from './harness/catalogues.ts';
import { hostileDisplay } from './harness/hostile.ts';
import { PATIENT, signInBrowser } from './harness/portal.ts';
import { agentClient, outOfSight } from './harness/wallet.ts';

const SOON = { timeout: 60_000 };
const PHONE = { width: 390, height: 844 };
const GERMAN = { ...PHONE, locale: 'de-DE' };
const FILES = [...PAGES.wallet, ...PAGES.portal, ...PAGES.verify];
const textsOf = async (folder: string) =>
  textsIn(await Promise.all(FILES.map((file) => readTexts(folder + file))));
const german = new Set(await textsOf('de/'));
const english = (await textsOf('')).filter((text) => text.length > 2 && !german.has(text));
/** Long enough that a page contains it only if a text was not translated. */
const LONG = 20;

/** English texts on this page. */
async function englishOn(page: Page): Promise<string[]> {
  const shown = await page.locator('body').innerText();
  const lines = new Set(shown.split(/[\n\t]/).map((line) => line.trim()));
  return english.filter((text) => lines.has(text) || (text.length > LONG && shown.includes(text)));
}

async function expectGerman(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.skeleton, .progress').count(), SOON).toBe(0);
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  expect(await englishOn(page), page.url()).toEqual([]);
}

/** The files in the worker's cache, once it holds the page itself. */
async function keptFiles(page: Page): Promise<string[]> {
  const read = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return kept.flat().map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(read, SOON).toContain('/wallet');
  return read();
}

function filesOf(context: BrowserContext): string[] {
  const files: string[] = [];
  context.on('request', (request) => files.push(new URL(request.url()).pathname));
  return files;
}

describe.skipIf(withoutBrowser)(`the pages in German${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let merchant: TestMerchant;
  let payee: TestPayee;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    merchant = await verifiedMerchant(service, { name: 'Harbour Books', domain: 'harbour-books.example' });
    payee = await activePayee(service, merchant, { name: 'Harbour Books', memo: 'ORDER-7' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('a German browser opens a wallet, connects an agent and approves a payment in German, the amount as pinned', async () => {
    const { page, context, complaints } = await browser.visitor(GERMAN);
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('heading', { name: 'Ihre Wallet', level: 1 }).waitFor();
    await expectGerman(page);
    await expect.poll(() => page.title()).toBe('Ihre Wallet · PayAssent');
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Wallet erstellen' }).click();
    await page.getByRole('heading', { name: 'Wiederherstellungscode aufbewahren' }).waitFor();
    await expectGerman(page);
    const code = (await page.locator('[data-secret=recovery-code]').textContent()) ?? '';
    await page.getByLabel('Letzte vier Zeichen des Codes').fill(code.slice(-4));
    await page.getByRole('button', { name: 'Wallet öffnen' }).click();
    await page.getByRole('heading', { name: 'Eingang', level: 1 }).waitFor();
    await expectSoundPage(page);

    const agent = agentClient(service, await usableAgent(service, merchant, { name: 'Concierge' }));
    const started = await agent.pairing.start({
      requested_scopes: ['payment.requests.create', 'payment.requests.read'],
    });
    await page.getByRole('link', { name: 'Verbinden', exact: true }).click();
    await page.getByLabel('Code oder Kopplungslink').fill(started.pairing_session.code ?? '');
    await page.getByRole('button', { name: 'Agenten suchen' }).click();
    await page.getByRole('button', { name: 'Verbindung freigeben' }).waitFor();
    await expectGerman(page);
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Verbindung freigeben' }).click();
    const { client } = await agent.pairing.wait(started.pairing_session);

    const { payment_request: asked } = await client.paymentRequests.create({
      recipient_id: payee.recipientId,
      payment: { amount: '1234.50' },
      display: hostileDisplay(payee.address),
    });
    const path = `/wallet/requests/${asked.request_id}?connection=${asked.connection_id}`;
    await page.goto(`${service.url}${path}`);
    const approve = page.getByRole('button', { name: '1234.50 XLM freigeben' });
    await approve.waitFor();
    await expect
      .poll(() => page.locator('.sheet-agent').innerText())
      .toBe('Concierge bittet Sie um Zahlung von');
    // 1.234,50 would be another sum elsewhere: what is signed is what is shown, in every language.
    await expect.poll(() => page.locator('[data-fact=amount]').innerText()).toBe('1234.50 XLM');
    expect(await page.locator('main').innerText()).not.toContain('1.234,50');
    await page.getByText('Erste Zahlung an diesen Zahlungsempfänger').waitFor();
    await expectGerman(page);
    expect(await outOfSight(page)).toEqual([]);
    await expectSoundPage(page);
    await approve.click();
    await page.getByText('Mit Ihrer eigenen Wallet-App zahlen').waitFor();
    await expectGerman(page);
    expect((await client.paymentRequests.get(asked.request_id)).payment_request.status).toBe('signed');

    for (const path of [
      '',
      '/activity',
      '/connect',
      '/agents',
      '/more',
      '/policies',
      '/security',
      '/notifications',
      '/devices',
      '/test-key',
    ]) {
      await page.goto(`${service.url}/wallet${path}`);
      await page.getByRole('navigation', { name: 'Wallet' }).waitFor();
      await expectGerman(page);
      await expectNoSidewaysScrolling(page);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('an English browser loads no German file; the switch changes the language, for good', async () => {
    const { page, context, complaints } = await browser.visitor(PHONE);
    const files = filesOf(context);
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('heading', { name: 'Your wallet' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    expect((await englishOn(page)).length).toBeGreaterThan(5);
    const kept = await keptFiles(page);
    expect(kept.length).toBeGreaterThan(20);
    expect([...kept, ...files].filter((file) => file.includes('german'))).toEqual([]);

    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Ihre Wallet' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Ihre Wallet' }).waitFor();
    await expectGerman(page);
    await page.goto(`${service.url}/portal`);
    await page.getByRole('heading', { name: 'Im Portal anmelden' }).waitFor();
    await page.goto(`${service.url}/verify`);
    await page.getByRole('heading', { name: 'Zahlungsnachweis prüfen' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Verify an evidence bundle' }).waitFor();
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('heading', { name: 'Your wallet' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('mails are in the language of the page, also where the browser has another one', async () => {
    const { page, context } = await browser.visitor({ ...PHONE, locale: 'en-GB' });
    const email = uniqueEmail();
    await page.goto(`${service.url}/portal`);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await page.getByRole('button', { name: 'Link senden' }).click();
    const mail = await service.smtp.waitForMail(email);
    expect(mail.subject).toMatch(/^Bestätigen Sie Ihre E-Mail-Adresse/);
    await page.goto(`${service.url}/portal/verify#token=${tokenIn(mail.text)}`);
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByLabel('Name der Organisation').fill('Harbour Toys');
    await page.getByRole('button', { name: 'Erstellen und anmelden' }).click();
    await page.getByRole('button', { name: 'Menü' }).waitFor();
    expect(await service.db`select language from accounts where email = ${email}`).toEqual([
      { language: 'de' },
    ]);
    await context.close();
  });

  it('the wallet opens in German without a network, from the first visit on', async () => {
    const { page, context } = await browser.visitor(GERMAN);
    await page.goto(`${service.url}/wallet`);
    await page.getByRole('heading', { name: 'Ihre Wallet' }).waitFor();
    await keptFiles(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Ihre Wallet' }).waitFor();
    await expectGerman(page);
    await context.close();
  });

  it('draws nothing in English while the German words are on their way', async () => {
    const { page, context } = await browser.visitor(GERMAN);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wanted = page.waitForRequest('**/german-wallet-*.js');
    await page.route('**/german-wallet-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${service.url}/wallet`, { waitUntil: 'commit' });
    await wanted;
    await page.locator('.skeleton-bar').first().waitFor();
    expect(await englishOn(page)).toEqual([]);
    release();
    await page.getByRole('heading', { name: 'Ihre Wallet' }).waitFor();
    await context.close();
  });

  it('every area of the portal speaks German, and no long word makes it wider than a phone', async () => {
    const visitor = await browser.visitor(GERMAN);
    const { page, context, complaints } = visitor;
    await page.goto(`${service.url}/portal`);
    await page.getByRole('heading', { name: 'Im Portal anmelden' }).waitFor();
    await expectGerman(page);
    await expectSoundPage(page);
    await signInBrowser(visitor, service, merchant.session);
    const areas = [
      'domains',
      'recipients',
      'agents',
      'connections',
      'payment-requests',
      'webhooks',
      'policies',
    ];
    const rest = ['access', 'audit', 'organization', 'team', 'approvals', 'sign-in'];
    const forms = ['recipients/new', 'agents/new', 'webhooks/new', `recipients/${payee.recipientId}`];
    for (const path of ['', ...areas, ...rest, ...forms]) {
      await page.goto(`${service.url}/portal/${path}`);
      await page.getByRole('button', { name: 'Menü' }).waitFor();
      await page.locator('main h1').waitFor();
      await expectGerman(page);
      await expectNoSidewaysScrolling(page);
      expect(await axeViolations(page), path).toEqual([]);
    }
    await page.getByRole('button', { name: 'Menü' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Zahlungsempfänger' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the front door speaks the language of the browser, or the one that was chosen on it', async () => {
    for (const [locale, first, other] of [
      ['de-AT', 'Sie geben frei', 'You approve'],
      ['en-GB', 'You approve', 'Sie geben frei'],
      ['fr-FR', 'You approve', 'Sie geben frei'],
    ] as const) {
      const { page, context, complaints } = await browser.visitor({ ...PHONE, locale });
      await page.goto(service.url);
      await page.getByRole('heading', { name: first }).waitFor();
      await expect
        .poll(() => page.locator('html').getAttribute('lang'))
        .toBe(locale === 'de-AT' ? 'de' : 'en');
      expect(await axeViolations(page)).toEqual([]);
      await expectNoSidewaysScrolling(page);
      await page.getByRole('link', { name: locale === 'de-AT' ? 'English' : 'Deutsch' }).click();
      await page.getByRole('heading', { name: other }).waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});
