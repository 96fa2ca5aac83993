// Slow: follows several windows of one person.
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';
import { inspect, linkFor, pageTitled } from './harness/onboarding.ts';
import { PATIENT, signInBrowser } from './harness/portal.ts';

describe.skipIf(withoutBrowser)(`windows of the portal${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let former: TestMerchant;
  let next: TestMerchant;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    former = await verifiedMerchant(service, { name: 'Former shop' });
    next = await verifiedMerchant(service, { name: 'Next shop' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const organization = (page: Page, name: string) => page.getByRole('banner').getByText(name).waitFor();

  it('side by side show one organization: the one that was entered last', async () => {
    const earlier = await verifiedMerchant(service, { name: 'Earlier shop' });
    const visitor = await browser.visitor();
    const { page: left, context } = visitor;
    await signInBrowser(visitor, service, earlier.session);
    await left.goto(`${service.url}/portal/domains`);
    await left.getByRole('link', { name: earlier.domain }).waitFor();

    // The left window is neither hidden nor shown again: the right one notifies it.
    const right = await context.newPage();
    await right.goto(`${service.url}/portal`);
    await organization(right, 'Earlier shop');
    await right.getByRole('button', { name: 'Sign out' }).click();
    await left.getByText('Your session has ended.').waitFor();
    expect(await left.getByText(earlier.domain).count()).toBe(0);

    await right.getByLabel('Email address').fill(next.email);
    await right.getByRole('button', { name: 'Send me a link' }).click();
    await right.goto(await linkFor(service, next.email));
    await right.getByRole('button', { name: 'Continue' }).click();
    await right.getByRole('button', { name: /Next shop/ }).click();
    await pageTitled(right, 'Overview');
    await organization(left, 'Next shop');
    await left.getByRole('link', { name: next.domain }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('find out whose they are when an action is refused for another session', async () => {
    const visitor = await browser.visitor();
    const { page } = visitor;
    await signInBrowser(visitor, service, former.session);
    await page.goto(`${service.url}/portal/organization`);
    await organization(page, 'Former shop');
    await signInBrowser(visitor, service, next.session);
    await page.getByLabel('Name of the organization').fill('Former shop, renamed');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await organization(page, 'Next shop');
    await expect.poll(() => page.getByLabel('Name of the organization').inputValue()).toBe('Next shop');
  });

  it('without a network refuse an action immediately, never do it later, and mark what may be old', async () => {
    const visitor = await browser.visitor();
    const { page, context } = visitor;
    await signInBrowser(visitor, service, former.session);
    await page.goto(`${service.url}/portal/organization`);
    await page.getByLabel('Name of the organization').fill('Renamed without a network');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await context.setOffline(false);

    await page.getByRole('link', { name: 'Payment requests' }).click();
    await page.getByText('No payment request yet').waitFor();
    await context.setOffline(true);
    await page.getByText('what you see may be old').waitFor();
    await page.getByText('No payment request yet').waitFor();
    await inspect(page, 'outdated');
    await context.setOffline(false);
    await page.getByText('what you see may be old').waitFor({ state: 'hidden' });
    await organization(page, 'Former shop');
    await page.reload();
    await organization(page, 'Former shop');
  });

  it('advise people, not programs, when the service refuses', async () => {
    const visitor = await browser.visitor();
    const { page } = visitor;
    await signInBrowser(visitor, service, former.session);
    await page.goto(`${service.url}/portal/organization`);
    await page.getByLabel('Name of the organization').fill('Refused');
    const refusal = {
      code: 'rate_limited',
      message: 'Too many requests.',
      recovery: 'Wait as many seconds as Retry-After says.',
      request_id: 'req_1',
    };
    await page.route('**/v1/merchants/**', (route) =>
      route.fulfill({ status: 429, json: { ok: false, error: refusal }, headers: { 'retry-after': '600' } }),
    );
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByText('Wait a minute and try again.').waitFor();
    expect(await page.getByText('Retry-After').count()).toBe(0);
  });

  it('stay usable when a record cannot be drawn, and show an error when nothing can', async () => {
    const visitor = await browser.visitor();
    const { page } = visitor;
    await signInBrowser(visitor, service, former.session);
    await page.route(/\/v1\/merchant-domains/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.domains[0].verified_at = 'no moment at all';
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${service.url}/portal/domains`);
    await page.getByText('An unexpected error happened on this page.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    await page.getByRole('link', { name: 'Organization' }).click();
    await pageTitled(page, 'Organization');

    await page.route('**/v1/merchant-sessions/current', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, merchant: { ...body.merchant, name: 7 } } });
    });
    await page.reload();
    await pageTitled(page, 'Something went wrong');
    await inspect(page, 'broken');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await organization(page, 'Former shop');
  });
});
