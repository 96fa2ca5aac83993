import type { Locator, Page } from 'playwright-core';
import { tokenIn } from '../../../server/test/harness/merchants.ts';
import type { TestService } from '../../../server/test/harness/service.ts';
import { expectSoundPage, picture, showTheme } from './browser.ts';

const NARROW = { width: 360, height: 740 };
const MAX_TABS = 60;

/** The link in the next mail to this address, as somebody would click it. */
export async function linkFor(service: TestService, email: string): Promise<string> {
  return `${service.url}/portal/verify#token=${tokenIn((await service.smtp.waitForMail(email)).text)}`;
}

export async function pageTitled(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** The page as it stands is sound; named ones are kept as pictures. */
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

/** Goes there with the Tab key alone, as somebody without a pointer must. */
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

/** Tab to it and type into it; what stood there is replaced. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
