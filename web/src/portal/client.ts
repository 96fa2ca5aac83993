import { MerchantClient } from '@payassent/sdk';
import { askForPasskey } from '../ui/passkey.ts';
import { noticeRefusedSession, suspectChange } from './session.ts';

/**
 * The one client of the portal: on the origin that the page came from, with the browser's own cookie. The CSRF proof
 * stays inside of it, in memory.
 */
export const merchantClient = new MerchantClient({
  baseUrl: location.origin,
  // Where the page itself came over plain http, its calls cannot be safer than that.
  allowInsecureHttp: true,
  fetch: async (url, init) => {
    const response = await fetch(url, init);
    const code = response.status === 401 || response.status === 403 ? await codeOf(response) : undefined;
    // A passkey that was refused says nothing about the session.
    if (response.status === 401 && code !== 'passkey_invalid') noticeRefusedSession();
    // A proof that no longer fits: the session of this browser is another one than this window thinks.
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
    // After a sign-in by mail, or with a passkey that is too new, none helps; the refusal says what does.
    const { possible_from, ways } = body.error?.details ?? {};
    if (possible_from !== undefined || ways !== undefined) return undefined;
    return body.error?.code;
  } catch {
    return undefined;
  }
}

let asked: Promise<boolean> | undefined;

/** Asks for the passkey where a call needs it, once for all calls that wait. False: the call stays refused. */
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
