import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestSession } from '../../../server/test/harness/merchants.ts';
import { axeViolations, type Visitor } from './browser.ts';

/** For `expect.poll`: pages follow the service within seconds, machines differ. */
export const PATIENCE = { timeout: 15_000 };
/** For groups: axe looks at whole pages in both themes, which takes seconds each on a busy machine. */
export const PATIENT = { timeout: 90_000 };

/** An operator who signed in before: the session's cookie is in the browser, and nothing else. */
export async function signInBrowser(
  visitor: Pick<Visitor, 'context'>,
  service: { url: string },
  session: TestSession,
): Promise<void> {
  const [name = '', value = ''] = session.cookie.split(/=(.*)/s);
  await visitor.context.addCookies([{ name, value, url: service.url, httpOnly: true, sameSite: 'Strict' }]);
}

/** axe finds nothing on the page as it stands, in either theme. */
export async function expectSoundPage(page: Page): Promise<void> {
  const before = await page.evaluate(() => document.documentElement.dataset['theme']);
  for (const [theme, rules] of [['light', 'all'] as const, ['dark', 'colours'] as const]) {
    await page.evaluate((next) => {
      document.documentElement.dataset['theme'] = next;
    }, theme);
    expect(await axeViolations(page, rules), `${page.url()} (${theme})`).toEqual([]);
  }
  await page.evaluate((next) => {
    document.documentElement.dataset['theme'] = next ?? 'light';
  }, before);
}
