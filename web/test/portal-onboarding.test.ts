import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signAssertion } from '../../server/test/harness/agents.ts';
import { succeed, tokenIn, uniqueDomain, uniqueEmail } from '../../server/test/harness/merchants.ts';
import { stellarAddress } from '../../server/test/harness/payees.ts';
import { startService, type TestService } from '../../server/test/harness/service.ts';
import {
  axeViolations,
  browserReason,
  expectNoSidewaysScrolling,
  picture,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';

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

  /** The page as it stands: no violation in either theme, usable on a small screen. */
  async function inspect(page: Page, name: string): Promise<void> {
    const before = page.viewportSize();
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((value) => {
        document.documentElement.dataset['theme'] = value;
      }, theme);
      expect(await axeViolations(page), `${name}, ${theme}`).toEqual([]);
      await picture(page, `portal-${name}-${theme}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScrolling(page);
    await picture(page, `portal-${name}-narrow`);
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'light';
    });
    if (before) await page.setViewportSize(before);
  }

  async function linkFor(email: string): Promise<string> {
    return `${service.url}/portal/verify#token=${tokenIn((await service.smtp.waitForMail(email)).text)}`;
  }

  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor();

  it('leads an operator there by clicking', async () => {
    const { page, complaints } = await browser.visitor();
    const email = uniqueEmail();
    const domain = uniqueDomain();
    const address = stellarAddress();

    // Sign in.
    await page.goto(`${service.url}/portal`);
    await heading(page, 'Sign in to the portal');
    await inspect(page, 'sign-in');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await heading(page, 'Look into your mailbox');
    await inspect(page, 'link-sent');
    await page.goto(await linkFor(email));
    await heading(page, 'Confirm your email address');
    expect(page.url()).toBe(`${service.url}/portal/verify`);
    await inspect(page, 'confirm');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Create your organization');
    await inspect(page, 'create-organization');
    await page.getByLabel('Name of the organization').fill('Teashop');
    await page.getByRole('button', { name: 'Create and sign in' }).click();
    await heading(page, 'Overview');
    await page.getByText('Prove a domain').first().waitFor();
    await inspect(page, 'overview-new');

    // What a pending organization sees elsewhere.
    await page.getByRole('link', { name: 'Recipients', exact: true }).click();
    await page.getByRole('heading', { name: 'Prove a domain first' }).waitFor();
    await inspect(page, 'recipients-pending');
    await page.getByRole('link', { name: 'Prove a domain' }).click();

    // Domain.
    await heading(page, 'Domains');
    await page.getByText('No domain yet').waitFor();
    await inspect(page, 'domains-empty');
    await page.getByLabel('Domain', { exact: true }).fill('not a domain');
    await page.getByRole('button', { name: 'Show what to publish' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('Domain', { exact: true }).fill(domain);
    await page.getByRole('button', { name: 'Show what to publish' }).click();
    await heading(page, domain);
    const value = await page.getByText(/^svc-domain-verification=/).innerText();
    service.dns.set(`_svc-challenge.${domain}`, 'TXT', ['something else']);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('What was looked up, and what was found').waitFor();
    await page.getByText('something else').waitFor();
    await inspect(page, 'domain-failed');
    service.dns.set(`_svc-challenge.${domain}`, 'TXT', ['something else', value]);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The domain is proved.').waitFor();
    await inspect(page, 'domain-proved');

    // Recipient.
    await page.getByRole('link', { name: 'Go to Recipients' }).click();
    await page.getByText('No Recipient yet').waitFor();
    await inspect(page, 'recipients-empty');
    await page.getByRole('link', { name: 'Create a Recipient' }).click();
    await heading(page, 'Create a Recipient');
    await page.getByLabel('Name', { exact: true }).fill('Teashop till');
    await page.getByLabel('Address').fill(`${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`);
    await page.getByRole('button', { name: 'Create the Recipient' }).click();
    await page.getByText('Mend the marked fields').waitFor();
    expect(await page.getByLabel('Address').evaluate((field) => field === document.activeElement)).toBe(true);
    await inspect(page, 'recipient-refused');
    await page.getByLabel('Address').fill(address);
    await page.getByLabel('Text memo (optional)').fill('TILL-7');
    await page.getByRole('button', { name: 'Create the Recipient' }).click();
    await heading(page, 'Teashop till');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Recomputed in your browser from the facts above: the same.').waitFor();
    await page.getByText('How to recompute it yourself').click();
    await inspect(page, 'recipient-evidence');
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').waitFor();
    await inspect(page, 'recipient-activate');
    await page.getByRole('button', { name: 'Activate this version' }).click();
    await page.locator('.pinned').waitFor();
    expect((await page.locator('.pinned .address').innerText()).replaceAll(/\s/g, '')).toBe(address);
    await inspect(page, 'recipient-active');
    expect((await service.smtp.waitForMail(email)).subject).toMatch(/payee|recipient|activ/i);

    // Agent.
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('link', { name: 'Register an agent' }).click();
    await heading(page, 'Register an agent');
    await page.getByLabel('Name', { exact: true }).fill('Tea buyer');
    await page.getByLabel('Read its explanations').uncheck();
    await inspect(page, 'agent-new');
    await page.getByRole('button', { name: 'Register the agent' }).click();
    await heading(page, 'Tea buyer');
    await page.getByText('It needs a key and must be activated').waitFor();
    await page.getByLabel('Name of the key (kid)').fill('till-1');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('heading', { name: 'Download the private key now' }).waitFor();
    await inspect(page, 'agent-key');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the private key' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('till-1.pem');
    const pem = await readFile(await download.path(), 'utf8');
    await page.getByRole('button', { name: 'forget the key' }).click();
    await page.getByText('This page no longer knows the private key.').waitFor();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('button', { name: 'Activate the agent' }).click();
    await page.getByText('The agent can work').waitFor();
    await inspect(page, 'agent-ready');

    // What was downloaded and what is shown to the developer are all that an agent needs.
    const sample = await page.locator('.sample').innerText();
    const agentId = /agentId: "(agt_[^"]+)"/.exec(sample)?.[1] ?? '';
    const agent = { agentId, kid: 'till-1', privateKey: createPrivateKey(pem) };
    const body = { assertion: signAssertion(service, agent) };
    const exchanged = await succeed(service.call('POST', '/v1/agent-auth/token', { body }));
    expect(exchanged.body.agent_token).toMatch(/^svc_at_/);
    expect(exchanged.body.scopes).not.toContain('transaction_contexts.read');

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Everything is set up').waitFor();
    await inspect(page, 'overview-ready');
    expect(complaints).toEqual([]);
  }, 180_000);
});
