// Slow: walks through every broken sign-in.
import { usableAgent } from '@payassent/proof/people/agents';
import { signUp, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, stellarAddress } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';
import { LONGEST_DOMAIN } from './harness/hostile.ts';
import { inspect, linkFor, pageTitled } from './harness/onboarding.ts';
import { signInBrowser } from './harness/portal.ts';

const MINUTE_MS = 60_000;
const PATIENT_MS = 120_000;

describe.skipIf(withoutBrowser)(`the portal, when things go another way${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

  async function askForLink(page: Page, email: string): Promise<string> {
    await page.getByLabel('Email address').fill(email);
    await button(page, 'Send me a link').click();
    await pageTitled(page, 'Check your mailbox');
    return linkFor(service, email);
  }

  /** From the mailed link to the page after the button. */
  async function openLink(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await button(page, 'Continue').click();
  }

  it('finds a way on from every broken sign-in', { timeout: PATIENT_MS }, async () => {
    const { page, complaints } = await browser.visitor();
    const email = uniqueEmail();
    await page.goto(`${service.url}/portal`);
    const first = await askForLink(page, email);

    // Set-up interrupted by a reload: the link is spent, nothing was kept, and the page shows how to continue.
    await openLink(page, first);
    await pageTitled(page, 'Create your organization');
    await page.reload();
    await page.getByText('This page was opened without a link, or reloaded.').waitFor();
    await inspect(page);

    // The same link again.
    await openLink(page, first);
    await page.getByText('This link no longer works.').waitFor();
    await inspect(page);

    // An unused link; another one opened in the same tab takes its place.
    const old = await askForLink(page, email);
    service.clock.advance(16 * MINUTE_MS);
    await openLink(page, old);
    await page.getByText('This link no longer works.').waitFor();
    const third = await askForLink(page, email);
    await openLink(page, third);

    // A confirmation that ran out before the organization had a name.
    await page.getByLabel('Name of the organization').fill('Slow shop');
    service.clock.advance(11 * MINUTE_MS);
    await button(page, 'Create and sign in').click();
    await page.getByText('Your confirmation has expired.').waitFor();
    await inspect(page);

    // An organization that exists already although its set-up was broken off: it is offered, marked.
    await signUp(service, { email, name: 'Half a shop' });
    const fourth = await askForLink(page, email);
    await openLink(page, fourth);
    await pageTitled(page, 'Which organization?');
    await inspect(page, 'choose-organization');
    await button(page, 'Create another organization').click();
    await button(page, 'Back to my organizations').click();
    await page.getByRole('button', { name: /Half a shop.*Set-up not finished/s }).click();
    await pageTitled(page, 'Overview');
    // None of this is stored where another page or person could find it.
    expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).toEqual(
      [],
    );
    expect(complaints).toEqual([]);
  });

  it('shows the same page for known and unknown addresses', { timeout: PATIENT_MS }, async () => {
    const { page } = await browser.visitor();
    const { email } = await signUp(service);
    const seen: string[] = [];
    for (const address of [email, uniqueEmail()]) {
      await page.goto(`${service.url}/portal`);
      await askForLink(page, address);
      seen.push((await page.locator('main').innerText()).replace(address, 'ADDRESS'));
    }
    expect(seen[0]).toBe(seen[1]);
  });

  it('ends with the session, and continues with the next one', { timeout: PATIENT_MS }, async () => {
    const merchant = await verifiedMerchant(service, { name: 'Open shop' });
    const visitor = await browser.visitor();
    const { page, complaints } = visitor;
    await signInBrowser(visitor, service, merchant.session);
    await page.goto(`${service.url}/portal/organization`);
    await page.getByLabel('Name of the organization').fill('Renamed <b>shop</b>');
    await button(page, 'Save the name').click();
    await page.getByText('The name is saved.').waitFor();
    await page.getByRole('banner').getByText('Renamed <b>shop</b>').waitFor();
    await inspect(page, 'organization');

    service.clock.advance(31 * MINUTE_MS);
    await link(page, 'Domains').click();
    await page.getByText('Your session has ended.').waitFor();
    await inspect(page, 'session-ended');
    await openLink(page, await askForLink(page, merchant.email));
    await page.getByRole('button', { name: /Renamed/ }).click();
    await pageTitled(page, 'Overview');

    // A second tab signs out everywhere; the first one notices when someone comes back to it.
    const other = await visitor.context.newPage();
    await other.goto(`${service.url}/portal/organization`);
    await button(other, 'Sign out everywhere').click();
    await other.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await other.getByText('You are signed out everywhere.').waitFor();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.getByText('Renamed').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('follows the session of the browser to another organization', { timeout: PATIENT_MS }, async () => {
    const [former, next] = [
      await verifiedMerchant(service, { name: 'Former shop' }),
      await verifiedMerchant(service, { name: 'Next shop' }),
    ];
    const visitor = await browser.visitor();
    const { page, complaints } = visitor;
    await signInBrowser(visitor, service, former.session);
    await page.goto(`${service.url}/portal/domains`);
    await link(page, former.domain).waitFor();
    // What signing in in another tab leaves behind here: another cookie, and a CSRF proof that no longer fits.
    await signInBrowser(visitor, service, next.session);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('banner').getByText('Next shop').waitFor();
    await link(page, next.domain).waitFor();
    expect(await link(page, former.domain).count()).toBe(0);
    await link(page, 'Organization').click();
    await page.getByLabel('Name of the organization').fill('Next shop, renamed');
    await button(page, 'Save the name').click();
    await page.getByText('The name is saved.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows that there is no such page or record', { timeout: PATIENT_MS }, async () => {
    const merchant = await verifiedMerchant(service);
    const visitor = await browser.visitor();
    const { page, complaints } = visitor;
    await signInBrowser(visitor, service, merchant.session);
    await page.goto(`${service.url}/portal/nowhere`);
    await pageTitled(page, 'There is no such page');
    await inspect(page);
    await page.goto(`${service.url}/portal/recipients/rcp_01ARYZ6S410000000000000000`);
    await page.getByRole('alert').waitFor();
    await inspect(page);
    await button(page, 'Sign out').click();
    await page.getByText('You are signed out.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('changes and ends what was set up', { timeout: PATIENT_MS }, async () => {
    const merchant = await verifiedMerchant(service);
    const hostile = '<img src=x onerror=alert(1)>';
    const payee = await activePayee(service, merchant, { name: hostile });
    const agent = await usableAgent(service, merchant, { name: hostile, kid: 'first key' });
    const visitor = await browser.visitor();
    const { page, complaints } = visitor;
    await signInBrowser(visitor, service, merchant.session);

    await page.goto(`${service.url}/portal/recipients/${payee.recipientId}`);
    await pageTitled(page, hostile);
    await link(page, 'New version').click();
    await pageTitled(page, 'New version');
    const issuer = stellarAddress();
    await page.getByLabel('Asset', { exact: true }).selectOption({ label: 'An issued asset …' });
    await page.getByLabel('Asset code').fill('EURT');
    await page.getByLabel('Issuer').fill(issuer);
    await inspect(page, 'new-version');
    await button(page, 'Create the version').click();
    const second = page.getByRole('article', { name: 'Version 2' });
    await second.getByText('Not verified').waitFor();
    await second.getByRole('button', { name: 'Verify now' }).click();
    await second.getByRole('button', { name: 'Activate' }).click();
    await button(page, 'Activate this version').click();
    await page.getByRole('article', { name: 'Version 1' }).getByText('Replaced').waitFor();
    await page.locator('.pinned').getByText('EURT').waitFor();
    await inspect(page, 'recipient-versions');
    await page.getByText('Change the label').click();
    await page.getByLabel('Label').fill('Till two');
    await inspect(page);
    await button(page, 'Save the label').click();
    await pageTitled(page, 'Till two');
    // The name that customers see is part of the version and stays.
    await page.locator('.pinned').getByText(hostile).waitFor();
    await button(page, 'Archive').click();
    await button(page, 'Archive for good').click();
    await page.getByText('archived for good').first().waitFor();
    expect(await link(page, 'New version').count()).toBe(0);

    await page.goto(`${service.url}/portal/agents/${agent.agentId}`);
    await pageTitled(page, hostile);
    await page.getByText('Change name or rights').click();
    await page.getByLabel('Name', { exact: true }).fill('Quiet agent');
    await page.getByLabel('Explain a payment').uncheck();
    await inspect(page, 'agent-change');
    await button(page, 'Save the changes').click();
    await pageTitled(page, 'Quiet agent');
    expect(await page.locator('dd').getByText('Explain a payment').count()).toBe(0);
    await page.getByRole('cell').getByRole('button', { name: 'Revoke' }).click();
    await button(page, 'Revoke the key').click();
    await page.getByText('it has no working key').waitFor();
    await page.getByLabel('Name of the key (kid)').fill('first key');
    await button(page, 'Create the key').click();
    await page.getByRole('alert').waitFor();
    await page.locator('.card').first().getByRole('button', { name: 'Revoke' }).click();
    await button(page, 'Revoke for good').click();
    await page.getByText('The agent is revoked for good.').waitFor();
    await inspect(page);
    expect(complaints).toEqual([]);
  });

  it('proves a domain by a file as well, and releases it', { timeout: PATIENT_MS }, async () => {
    const merchant = await verifiedMerchant(service);
    const domain = LONGEST_DOMAIN;
    const visitor = await browser.visitor();
    const { page, complaints } = visitor;
    await signInBrowser(visitor, service, merchant.session);
    await page.goto(`${service.url}/portal/domains`);
    await page.getByLabel('Domain', { exact: true }).fill(domain);
    await page.getByLabel('How do you want to prove it?').selectOption('https');
    await button(page, 'Show what to publish').click();
    await page.getByText(`https://${domain}/.well-known/svc-challenge.txt`).waitFor();
    await button(page, 'Check now').click();
    await page.getByText('What was queried, and what was found').waitFor();
    await page.getByText('Nothing', { exact: true }).waitFor();
    await inspect(page, 'domain-long');
    await button(page, 'Prove it with a TXT record instead').click();
    await page.getByText(`_svc-challenge.${domain}`).first().waitFor();
    await button(page, 'Delete the domain').click();
    await button(page, 'Delete').click();
    await pageTitled(page, 'Domains');
    await link(page, merchant.domain).waitFor();
    await expect.poll(() => link(page, domain).count()).toBe(0);
    await inspect(page, 'domains');
    expect(complaints).toEqual([]);
  });
});
