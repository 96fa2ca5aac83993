import { MerchantClient } from '@countersign/sdk';
import { noticeRefusedSession } from './session.ts';

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
    return response;
  },
});
