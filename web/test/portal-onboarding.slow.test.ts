// Slow: walks through the whole set-up, by mouse and by keyboard.
import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { signAssertion } from '@payassent/proof/people/agents';
import { succeed, uniqueDomain, uniqueEmail } from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import type { Download, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';
import {
  activateVersion,
  button,
  domainProved,
  hasFocus,
  inspect,
  link,
  linkFor,
  pageTitled,
  pressOn,
  registerDomain,
  signUp,
  tabTo,
  typeInto,
} from './harness/onboarding.ts';

/** On a quiet machine each way takes seconds; a busy one may need its time. */
const PATIENT_MS = 300_000;

describe.skipIf(withoutBrowser)(`the portal, from nothing to a usable agent${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** The downloaded file and the shown instructions must be all that an agent needs. */
  async function expectUsable(page: Page, download: Download): Promise<string[]> {
    const sample = await page.locator('.sample').innerText();
    const [agentId = '', kid = ''] = ['agentId', 'kid'].map(
      (name) => new RegExp(`${name}: "([^"]+)"`).exec(sample)?.[1] ?? '',
    );
    expect(download.suggestedFilename()).toBe(`${kid}.pem`);
    expect(sample).toContain(JSON.stringify(service.url));
    const privateKey = createPrivateKey(await readFile(await download.path(), 'utf8'));
    const body = { assertion: signAssertion(service, { agentId, kid, privateKey }) };
    const exchanged = await succeed(service.call('POST', '/v1/agent-auth/token', { body }));
    expect(exchanged.body.agent_token).toMatch(/^svc_at_/);
    return exchanged.body.scopes;
  }

  /** The private key left the page only as the download, and nothing of it stays in the browser. */
  async function expectKeptPrivate(page: Page, download: Download, sent: readonly string[]): Promise<void> {
    const key = createPrivateKey(await readFile(await download.path(), 'utf8'));
    const { d = '', x = '' } = key.export({ format: 'jwk' });
    const everything = sent.join(' ');
    expect(everything).toContain(x);
    for (const encoding of ['base64url', 'base64', 'hex'] as const)
      expect(everything).not.toContain(Buffer.from(d, 'base64url').toString(encoding));
    const kept = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
    ]);
    expect(kept).toEqual([]);
  }

  it('leads a team member there by clicking', { timeout: PATIENT_MS }, async () => {
    const { page, complaints } = await browser.visitor();
    const email = uniqueEmail();
    const domain = uniqueDomain();
    await clickThroughSignIn(page, email);
    await clickThroughDomain(page, domain);
    await clickThroughRecipient(page, email);
    await clickThroughAgent(page);
    await link(page, 'Overview').click();
    // All that is left is to try it.
    await link(page, 'Send a test request').waitFor();
    await inspect(page, 'overview-ready');
    expect(complaints).toEqual([]);
  });

  async function clickThroughSignIn(page: Page, email: string): Promise<void> {
    await signUp(page, service, email, async (shown, name) => {
      // The token is removed from the address before anyone could copy or keep it.
      expect(shown.url()).not.toContain('token=');
      await inspect(shown, name);
    });
    await link(page, 'Payees').click();
    await page.getByRole('heading', { name: 'Prove a domain first' }).waitFor();
    await inspect(page);
    await link(page, 'Prove a domain').click();
  }

  async function clickThroughDomain(page: Page, domain: string): Promise<void> {
    await pageTitled(page, 'Domains');
    await page.getByText('No domain yet').waitFor();
    await inspect(page);
    await page.getByLabel('Domain', { exact: true }).fill('not a domain');
    await button(page, 'Show what to publish').click();
    await page.locator('input[aria-invalid="true"]').waitFor();
    await page.getByLabel('Domain', { exact: true }).fill(`https://${domain.toUpperCase()}./tea?leaf=1`);
    await page.getByText(`Will be registered: ${domain}`).waitFor();
    await inspect(page);
    const { record, value } = await registerDomain(page, domain, ` HTTP://${domain}:8443/ `);
    await page.getByText('Where to enter it at your DNS provider').click();
    await page.getByText('_svc-challenge', { exact: true }).first().waitFor();
    await inspect(page, 'domain-hints');
    service.dns.set(record, 'TXT', ['something else']);
    await button(page, 'Check now').click();
    await page.getByText('What was queried, and what was found').waitFor();
    await page.getByText('something else').waitFor();
    await inspect(page, 'domain-failed');
    // From here on there is no click: the page finds the record automatically.
    service.dns.set(record, 'TXT', ['something else', value]);
    await domainProved(page);
    await inspect(page);
    await link(page, 'Go to payees').click();
  }

  async function clickThroughRecipient(page: Page, email: string): Promise<void> {
    const address = stellarAddress();
    await page.getByText('No payee yet').waitFor();
    await inspect(page);
    await link(page, 'Create a payee').click();
    await pageTitled(page, 'Create a payee');
    await page.getByLabel('Name', { exact: true }).fill('Teashop till');
    await page.getByLabel('Address').fill(withTypo(address));
    await button(page, 'Create the payee').click();
    await page.getByText('Fix the marked fields').waitFor();
    await expect.poll(() => hasFocus(page.getByLabel('Address'))).toBe(true);
    await inspect(page, 'recipient-refused');
    await page.getByLabel('Address').fill(address);
    await page.getByText('Compare it group by group').waitFor();
    await page.getByLabel('Text memo (optional)').fill('TILL-7');
    await button(page, 'Create the payee').click();
    await pageTitled(page, 'Teashop till');
    // The team member lets the domain name the payee, so that the proof is of this very payee.
    await page.getByText('Recommended: let the domain name this payee').waitFor();
    const record = (await page.getByText(/^svc-payee=sha256:/).innerText()).trim();
    const place = (await page.getByText(/^_svc-payee\./).innerText()).trim();
    await inspect(page, 'recipient-payee-record');
    service.dns.set(place, 'TXT', [record]);
    await activateVersion(page, async (shown, name) => {
      await shown.getByText('this very payee', { exact: true }).waitFor();
      if (name !== undefined) await shown.getByText('How to recompute it yourself').click();
      await inspect(shown, name);
    });
    const pinned = page.locator('.pinned');
    expect((await pinned.locator('.address').innerText()).replaceAll(/\s/g, '')).toBe(address);
    await page.getByText('The domain itself names this payee.').waitFor();
    await inspect(page, 'recipient-active');
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(`${service.url}/portal/organization`);
    await elsewhere.getByText('Your domain has to name every payee').waitFor();
    await elsewhere.close();
    // Every activation is mailed to the team members.
    expect((await service.smtp.waitForMail(email)).text).toContain(address);
    await link(page, 'Agents').click();
  }

  async function clickThroughAgent(page: Page): Promise<void> {
    await page.getByText('No agent yet').waitFor();
    await inspect(page);
    await link(page, 'Register an agent').click();
    await pageTitled(page, 'Register an agent');
    await page.getByLabel('Name', { exact: true }).fill('Tea buyer');
    await page.getByLabel('Read its explanations').uncheck();
    await inspect(page, 'agent-new');
    await button(page, 'Register the agent').click();
    await pageTitled(page, 'Tea buyer');
    await page.getByText('It needs a key and must be activated').waitFor();
    await page.getByLabel('Name of the key (kid)').fill('till-1');
    const sent: string[] = [];
    const note = (request: Request) => sent.push(`${request.url()} ${request.postData() ?? ''}`);
    page.on('request', note);
    await button(page, 'Create the key').click();
    await page.getByRole('heading', { name: 'Download the private key now' }).waitFor();
    await inspect(page, 'agent-key');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download the private key').click(),
    ]);
    await button(page, 'I have the file: delete the key here').click();
    await page.getByText('This page no longer has the private key.').waitFor();
    await button(page, 'Activate').click();
    await button(page, 'Activate the agent').click();
    await page.getByText('The agent can work').waitFor();
    await inspect(page, 'agent-ready');
    page.off('request', note);
    expect(await expectUsable(page, download)).not.toContain('transaction_contexts.read');
    await expectKeptPrivate(page, download, sent);
  }

  it('checks for a proof a bounded number of times, and only while the page is seen', {
    timeout: 2 * PATIENT_MS,
  }, async () => {
    const { page } = await browser.visitor();
    const looks = { begun: 0, over: 0 };
    const isLook = (request: Request) => /merchant-domains\/\w+\/verify$/.test(request.url());
    page.on('request', (request) => {
      if (isLook(request)) looks.begun += 1;
    });
    const note = (request: Request) => {
      if (isLook(request)) looks.over += 1;
    };
    page.on('requestfinished', note);
    page.on('requestfailed', note);
    await signUp(page, service, uniqueEmail());
    await page.clock.install();
    await showPage(page, 'hidden');
    await registerDomain(page, uniqueDomain());
    await page.clock.runFor(20 * 60_000);
    expect(looks.begun).toBe(0);
    await showPage(page, 'visible');
    const given = page.getByText('this page no longer checks automatically');
    const hasGivenUp = async () => {
      // Not while a call is under way: the same clock drives its timeout.
      if (looks.begun === looks.over) await page.clock.runFor(5_000);
      return given.isVisible();
    };
    await expect.poll(hasGivenUp, { timeout: PATIENT_MS, interval: 10 }).toBe(true);
    const all = looks.begun;
    expect(all).toBeGreaterThan(10);
    expect(all).toBeLessThan(30);
    await inspect(page);
    await page.clock.runFor(20 * 60_000);
    expect(looks.begun).toBe(all);
    await button(page, 'Check now').click();
    await expect.poll(() => looks.begun, { timeout: PATIENT_MS }).toBeGreaterThan(all);
  });

  /** As if the window was covered, or came back. */
  function showPage(page: Page, state: 'hidden' | 'visible'): Promise<void> {
    return page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }

  it('leads a team member there with the keyboard alone, on a small screen', {
    timeout: PATIENT_MS,
  }, async () => {
    const { page, complaints } = await browser.visitor({ theme: 'dark', width: 360, height: 740 });
    const email = uniqueEmail();
    const domain = uniqueDomain();
    await typeThroughSignIn(page, email);
    await typeThroughDomain(page, domain);
    await typeThroughRecipient(page);
    await typeThroughAgent(page);
    expect(complaints).toEqual([]);
  });

  async function typeThroughSignIn(page: Page, email: string): Promise<void> {
    await page.goto(`${service.url}/portal`);
    await typeInto(page, page.getByLabel('Email address'), email);
    await page.keyboard.press('Enter');
    await pageTitled(page, 'Check your mailbox');
    await page.goto(await linkFor(service, email));
    await pressOn(page, button(page, 'Continue'));
    await typeInto(page, page.getByLabel('Name of the organization'), 'Keyboard shop');
    await page.keyboard.press('Enter');
    await pageTitled(page, 'Overview');
    // The navigation is folded here: closed it is out of the way, opened it is reached.
    expect(await link(page, 'Domains').isVisible()).toBe(false);
    await pressOn(page, button(page, 'Menu'));
    await pressOn(page, link(page, 'Domains'));
    await pageTitled(page, 'Domains');
    expect(await link(page, 'Domains').isVisible()).toBe(false);
    await expect.poll(() => hasFocus(page.getByRole('heading', { level: 1 }))).toBe(true);
  }

  async function typeThroughDomain(page: Page, domain: string): Promise<void> {
    await typeInto(page, page.getByLabel('Domain', { exact: true }), domain);
    await page.keyboard.press('Enter');
    await pageTitled(page, domain);
    const value = page.getByText(/^svc-domain-verification=/).first();
    await pressOn(page, button(page, 'Check now'));
    await page.getByText('What was queried, and what was found').waitFor();
    service.dns.set(`_svc-challenge.${domain}`, 'TXT', [await value.innerText()]);
    await domainProved(page);
    await pressOn(page, link(page, 'Go to payees'));
  }

  async function typeThroughRecipient(page: Page): Promise<void> {
    await pressOn(page, link(page, 'Create a payee'));
    await typeInto(page, page.getByLabel('Name', { exact: true }), 'Keyboard till');
    await typeInto(page, page.getByLabel('Address'), stellarAddress());
    await page.keyboard.press('Enter');
    await pageTitled(page, 'Keyboard till');
    await pressOn(page, button(page, 'Verify now'));
    await pressOn(page, button(page, 'Activate'));
    await page.getByRole('dialog').waitFor();
    // Escape returns the focus to the button that opened the dialog.
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(button(page, 'Activate'))).toBe(true);
    await page.keyboard.press('Enter');
    await pressInDialog(page, 'Activate this version');
    await page.locator('.pinned').waitFor();
    await expect
      .poll(() => hasFocus(page.getByRole('heading', { name: 'Where payments go now' })))
      .toBe(true);
    await pressOn(page, button(page, 'Menu'));
    await pressOn(page, link(page, 'Agents'));
  }

  async function typeThroughAgent(page: Page): Promise<void> {
    await pressOn(page, link(page, 'Register an agent'));
    await typeInto(page, page.getByLabel('Name', { exact: true }), 'Keyboard agent');
    await tabTo(page, page.getByLabel('Explain a payment'));
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await pageTitled(page, 'Keyboard agent');
    await pressOn(page, button(page, 'Create the key'));
    const heading = page.getByRole('heading', { name: 'Download the private key now' });
    await heading.waitFor();
    await expect.poll(() => hasFocus(heading)).toBe(true);
    const arrives = page.waitForEvent('download');
    await pressOn(page, button(page, 'Download the private key'));
    const download = await arrives;
    await pressOn(page, button(page, 'I have the file: delete the key here'));
    await page.getByText('This page no longer has the private key.').waitFor();
    await pressOn(page, button(page, 'Activate'));
    await pressInDialog(page, 'Activate the agent');
    await page.getByText('The agent can work').waitFor();
    const scopes = await expectUsable(page, download);
    expect(scopes).toContain('payment.requests.create');
    expect(scopes).not.toContain('transaction_contexts.create');
    await pressOn(page, button(page, 'Suspend'));
    await pressInDialog(page, 'Suspend the agent');
    await page.getByText('The agent is suspended').waitFor();
  }

  async function pressInDialog(page: Page, name: string): Promise<void> {
    await page.getByRole('dialog').waitFor();
    const confirm = button(page, name);
    if (!(await hasFocus(confirm))) await tabTo(page, confirm);
    await page.keyboard.press('Enter');
  }
});
