import { ApiError, type ApiFailure } from '../errors/api-error.ts';

/** HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type CredentialHeaders = Readonly<Record<string, string>>;

/** How a client proves who it is, and what it may do when the proof is refused. */
export interface CallCredential {
  /** Called before every attempt, with the address of the attempt. */
  headers(
    method: Method,
    signal: AbortSignal | undefined,
    url: string,
  ): Promise<CredentialHeaders> | CredentialHeaders;
  /**
   * After a 401, or where a wallet has seen the token, once per call: true when the credential has been renewed, so
   * that one more attempt makes sense. `used` are the headers that were rejected: another call may have renewed the
   * credential meanwhile.
   */
  renew?(
    refusal: ApiFailure,
    used: CredentialHeaders,
    signal: AbortSignal | undefined,
  ): Promise<boolean> | boolean;
  /** Sees the headers of every success: a session lives in one. */
  observe?(headers: Headers): void;
  /** Whether a browser adds its cookie for the service. Only a team member's session needs it. */
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

/** A text that cannot be this token is rejected here, without repeating it in the message. */
export function checkedToken(token: string, name: TokenName): string {
  const prefix = TOKEN_PREFIXES[name];
  const isToken = typeof token === 'string' && /^[A-Za-z0-9_-]{1,200}$/.test(token);
  if (!isToken || !token.startsWith(prefix))
    throw new TypeError(`${name} is missing or malformed: pass the token that begins with ${prefix}`);
  return token;
}

/**
 * Waits for a call that ends the session it is made with. A 401 means that the session has ended, which was the goal,
 * above all when the first attempt ended it and only its response was lost.
 */
export async function orEndedAlready(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 401) throw error;
  }
}
