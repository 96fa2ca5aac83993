import type { TestSession } from '@payassent/proof/people/merchants';
import type { Visitor } from './browser.ts';

export { expectSoundPage } from './browser.ts';

/** For `expect.poll`: pages follow the service within seconds, machines differ. */
export const PATIENCE = { timeout: 15_000 };
/** For groups: axe checks whole pages in both themes and at two widths, which takes long on a busy machine. */
export const PATIENT = { timeout: 300_000 };

/** A team member who signed in before: the browser has the session's cookie, and nothing else. */
export async function signInBrowser(
  visitor: Pick<Visitor, 'context'>,
  service: { url: string },
  session: TestSession,
): Promise<void> {
  const [name = '', value = ''] = session.cookie.split(/=(.*)/s);
  await visitor.context.addCookies([{ name, value, url: service.url, httpOnly: true, sameSite: 'Strict' }]);
}
