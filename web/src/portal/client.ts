import { MerchantClient } from '@payassent/sdk';
import { language } from '../texts/language.ts';
import { askForPasskey } from '../ui/passkey.ts';
import { noticeRefusedSession, suspectChange } from './session.ts';

/**
 * The portal's only client: same origin, authenticated by the browser's cookie. The CSRF proof stays inside it, in
 * memory.
 */
export const merchantClient = new MerchantClient({
  baseUrl: location.origin,
  // Calls cannot be safer than the page itself, which came over plain http.
  allowInsecureHttp: true,
  fetch: async (url, given) => {
    const headers = new Headers(given?.headers);
    // Mails are in the language of the page, which can differ from the browser's.
    headers.set('accept-language', language);
    const init = { ...given, headers };
    const response = await fetch(url, init);
    const code = response.status === 401 || response.status === 403 ? await codeOf(response) : undefined;
    // A rejected passkey does not mean that the session has ended.
    if (response.status === 401 && code !== 'passkey_invalid') noticeRefusedSession();
    // The CSRF proof belongs to another session: this browser signed in or out in another window.
    if (code === 'csrf_invalid') suspectChange();
    if (code !== 'step_up_required' || !(await stepUp())) return response;
    return fetch(url, init);
  },
});

async function codeOf(response: Response): Promise<string | undefined> {
  try {
    const body = (await response.clone().json()) as {
      error?: { code?: string; details?: { possible_from?: string; ways?: unknown } };
    };
    // After a sign-in by mail, or with a passkey that is too new, no passkey helps; the error names the ways that do.
    const { possible_from, ways } = body.error?.details ?? {};
    if (possible_from !== undefined || ways !== undefined) return undefined;
    return body.error?.code;
  } catch {
    return undefined;
  }
}

let asked: Promise<boolean> | undefined;

/** Requests the passkey where a call needs it, once for all waiting calls. False: the call stays rejected. */
function stepUp(): Promise<boolean> {
  asked ??= (async () => {
    try {
      const { options } = await merchantClient.passkeys.stepUpOptions();
      await merchantClient.passkeys.stepUp({ credential: await askForPasskey(options) });
      return true;
    } catch {
      return false;
    } finally {
      asked = undefined;
    }
  })();
  return asked;
}
