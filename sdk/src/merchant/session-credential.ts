import type { CallCredential } from '../core/credential.ts';

/** A team member's session: the cookie, and the CSRF proof that never leaves memory. */
export interface SessionCredential extends CallCredential {
  /** Takes the CSRF proof of a new or resumed session. */
  open(csrfToken: string): void;
  close(): void;
  /** `name=value`, where the runtime leaves cookies to the SDK. */
  cookie(): string | undefined;
}

const COOKIE = /^((?:__Host-)?svc_session)=([A-Za-z0-9_-]*)$/;

/**
 * In a browser the cookie is HttpOnly and managed by the browser; other runtimes do not store cookies, so the SDK reads
 * it from the response and sends it back.
 */
export function sessionCredential(firstCookie: string | undefined): SessionCredential {
  let cookie = firstCookie;
  let csrfToken: string | undefined;
  if (cookie !== undefined && !COOKIE.test(cookie))
    throw new TypeError('sessionCookie is not a session cookie of the service');
  return {
    browserCookies: true,
    headers: (method) => ({
      ...(cookie === undefined ? {} : { cookie }),
      ...(method === 'GET' || csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
    }),
    observe(headers) {
      for (const line of setCookiesOf(headers)) {
        const pair = line.split(';')[0]?.trim() ?? '';
        const match = COOKIE.exec(pair);
        if (match) cookie = match[2] === '' ? undefined : pair;
      }
    },
    open(token) {
      csrfToken = token;
    },
    close() {
      csrfToken = undefined;
      cookie = undefined;
    },
    cookie: () => cookie,
  };
}

function setCookiesOf(headers: Headers): string[] {
  if (typeof headers.getSetCookie === 'function') return headers.getSetCookie();
  const joined = headers.get('set-cookie');
  return joined === null ? [] : joined.split(/,(?=\s*[^;,\s]+=)/);
}
