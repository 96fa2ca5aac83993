import { tokenIn } from '@payassent/proof/people/merchants';
import type { TestService } from '@payassent/proof/service/service';
import type { Locator, Page } from 'playwright-core';
import { expectSoundPage, picture, showTheme } from './browser.ts';

const NARROW = { width: 360, height: 740 };
const MAX_TABS = 60;

/** The link in the next mail to this address, as someone would click it. */
export async function linkFor(service: TestService, email: string): Promise<string> {
  return `${service.url}/portal/verify#token=${tokenIn((await service.smtp.waitForMail(email)).text)}`;
}

export async function pageTitled(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Checks the page as it is; named ones are kept as pictures. */
export async function inspect(page: Page, pictureName?: string): Promise<void> {
  await expectSoundPage(page);
  if (pictureName === undefined) return;
  const usual = page.viewportSize() ?? NARROW;
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme);
    await picture(page, `portal-${pictureName}-${theme}`);
  }
  await page.setViewportSize(NARROW);
  await picture(page, `portal-${pictureName}-narrow`);
  await page.setViewportSize(usual);
}

/** Goes there with the Tab key alone, as someone without a pointer must. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await hasFocus(target)) return;
  }
  throw new Error(`${MAX_TABS} times Tab do not lead to ${target}`);
}

export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Tab to it and press it. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Tab to it and type into it, replacing its content. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** What to do with each page on the way; by default nothing. */
type Look = (page: Page, pictureName?: string) => Promise<void>;
const passBy: Look = async () => undefined;

/** From an unknown address into a new organization, by clicking. */
export async function signUp(page: Page, service: TestService, email: string, look = passBy): Promise<void> {
  await page.goto(`${service.url}/portal`);
  await pageTitled(page, 'Sign in to the portal');
  await look(page, 'sign-in');
  await page.getByLabel('Email address').fill(email);
  await button(page, 'Send me a link').click();
  await pageTitled(page, 'Check your mailbox');
  await look(page);
  await page.goto(await linkFor(service, email));
  await pageTitled(page, 'Confirm your email address');
  await look(page);
  await button(page, 'Continue').click();
  await pageTitled(page, 'Create your organization');
  await look(page);
  await page.getByLabel('Name of the organization').fill('Teashop');
  await button(page, 'Create and sign in').click();
  await pageTitled(page, 'Overview');
  await link(page, 'Go to domains').waitFor();
  await look(page, 'overview-new');
}

/** Registers a domain on the open page, and returns the record to publish. */
export async function registerDomain(
  page: Page,
  domain: string,
  typed = domain,
): Promise<{ record: string; value: string }> {
  await page.getByLabel('Domain', { exact: true }).fill(typed);
  await button(page, 'Show what to publish').click();
  await pageTitled(page, domain);
  const record = `_svc-challenge.${domain}`;
  await page.getByText(record).first().waitFor();
  const shown = page.getByText(/^svc-domain-verification=/).first();
  return { record, value: await shown.innerText() };
}

/** The page checks the domain automatically, after a growing pause. */
export async function domainProved(page: Page): Promise<void> {
  await page.getByText('The domain is proved.').waitFor({ timeout: 120_000 });
}

/** Verifies and activates the version that is shown. */
export async function activateVersion(page: Page, look = passBy): Promise<void> {
  await button(page, 'Verify now').click();
  await page.getByText('Recomputed in your browser from the details above: the same.').waitFor();
  await look(page, 'recipient-evidence');
  await button(page, 'Activate').click();
  await page.getByRole('dialog').waitFor();
  await look(page);
  await button(page, 'Activate this version').click();
  await page.locator('.pinned').waitFor();
}
