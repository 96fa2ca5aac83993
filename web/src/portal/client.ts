import { MerchantClient } from '@payassent/sdk';
import { noticeRefusedSession } from './session.ts';
import { suspectChange } from './session-changes.ts';

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
    if (response.status === 401) noticeRefusedSession();
    // A proof that no longer fits: the session of this browser is another one than this window thinks.
    if (response.status === 403 && (await response.clone().text()).includes('csrf_invalid')) suspectChange();
    return response;
  },
});
