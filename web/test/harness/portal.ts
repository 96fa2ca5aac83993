import type { TestSession } from '@payassent/proof/people/merchants';
import type { Visitor } from './browser.ts';

export { expectSoundPage } from './browser.ts';

/** For `expect.poll`: pages follow the service within seconds, machines differ. */
export const PATIENCE = { timeout: 15_000 };
/** For groups: axe looks at whole pages in both themes and at two widths, which takes long on a busy machine. */
export const PATIENT = { timeout: 300_000 };

/** An operator who signed in before: the session's cookie is in the browser, and nothing else. */
export async function signInBrowser(
  visitor: Pick<Visitor, 'context'>,
  service: { url: string },
  session: TestSession,
): Promise<void> {
  const [name = '', value = ''] = session.cookie.split(/=(.*)/s);
  await visitor.context.addCookies([{ name, value, url: service.url, httpOnly: true, sameSite: 'Strict' }]);
}
