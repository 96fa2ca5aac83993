import { ApiError, type ApiFailure } from '../errors/api-error.ts';

/** HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type CredentialHeaders = Readonly<Record<string, string>>;

/** How a client proves who it is, and what it may do when the proof is refused. */
export interface CallCredential {
  /** Asked before every attempt, with the address that the attempt goes to. */
  headers(
    method: Method,
    signal: AbortSignal | undefined,
    url: string,
  ): Promise<CredentialHeaders> | CredentialHeaders;
  /**
   * After a 401, or where a wallet has seen the token, once per call: true when the credential has been renewed, so that one more attempt makes sense.
   * `used` are the headers that were refused: another call may have renewed them meanwhile.
   */
  renew?(
    refusal: ApiFailure,
    used: CredentialHeaders,
    signal: AbortSignal | undefined,
  ): Promise<boolean> | boolean;
  /** Sees the headers of every success: a session lives in one. */
  observe?(headers: Headers): void;
  /** Whether a browser adds its own cookie for the service. Only an operator's session wants it. */
  readonly browserCookies?: boolean;
}

export function bearer(token: string, name: TokenName): CallCredential {
  const headers = { authorization: `Bearer ${checkedToken(token, name)}` };
  return { headers: () => headers };
}

export function apiKey(key: string): CallCredential {
  const headers = { 'x-svc-api-key': checkedToken(key, 'apiKey') };
  return { headers: () => headers };
}

const TOKEN_PREFIXES = {
  apiKey: 'svc_key_',
  claimToken: 'svc_cl_',
  connectionToken: 'svc_ct_',
  deviceToken: 'svc_dt_',
  sessionToken: 'svc_st_',
} as const;

/** The tokens that a client can be given. */
type TokenName = keyof typeof TOKEN_PREFIXES;

/** What cannot be this token is refused here, without repeating it in the message. */
export function checkedToken(token: string, name: TokenName): string {
  const prefix = TOKEN_PREFIXES[name];
  const isToken = typeof token === 'string' && /^[A-Za-z0-9_-]{1,200}$/.test(token);
  if (!isToken || !token.startsWith(prefix))
    throw new TypeError(`${name} is missing or malformed: pass the token that begins with ${prefix}`);
  return token;
}

/**
 * Waits for a call that ends the session it is made with. A 401 says that there is none any more, which is what was
 * wanted: above all when the first attempt ended it and only its answer was lost.
 */
export async function orEndedAlready(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 401) throw error;
  }
}
