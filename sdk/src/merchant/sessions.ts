import type { SessionGrant } from '../aliases.ts';
import type {
  CreatedOrganization,
  EmailGrant,
  EmailVerificationInput,
  OpenSession,
  OrganizationInput,
  PasskeyCancellation,
  PasskeyOptions,
  PasskeyUse,
  SignInLinkInput,
} from '../contract.ts';
import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { orEndedAlready } from '../core/credential.ts';
import { isApiError } from '../errors/guards.ts';
import { MerchantSessionsCalls } from '../generated/merchant.ts';
import {
  cancelPasskey,
  createMerchant,
  createMerchantSession,
  endAllMerchantSessions,
  endMerchantSession,
  getMerchantSession,
  getPasskeySignInOptions,
  requestSignInLink,
  signInWithPasskey,
  verifyEmail,
} from '../operations.ts';
import type { SessionCredential } from './session-credential.ts';

/** Registration, sign-in and sign-out of a team member. */
export class MerchantSessions extends MerchantSessionsCalls {
  readonly #api: Api;
  readonly #open: Api;
  readonly #credential: SessionCredential;

  /** Made by `MerchantClient`. */
  constructor(api: Api, credential: SessionCredential) {
    super(api);
    this.#api = api;
    this.#credential = credential;
    // Before the session there is no credential to send, but the cookie of its response must be taken.
    this.#open = createApi(api.settings, {
      headers: () => ({}),
      browserCookies: true,
      observe: (headers) => credential.observe?.(headers),
    });
  }

  /** Sends a one-time link to the address, for registration, recovery and sign-in alike. */
  async requestLink(input: SignInLinkInput, options: CallOptions = {}): Promise<void> {
    await this.#open.call(requestSignInLink, { body: input }, options);
  }

  /** Exchanges the part of the link behind `#token=`. */
  verifyEmail(input: EmailVerificationInput, options: CallOptions = {}): Promise<EmailGrant> {
    return this.#open.call(verifyEmail, { body: input }, options);
  }

  /** The options to pass to the browser for a sign-in with a passkey; they identify no account. */
  passkeyOptions(options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.#open.call(getPasskeySignInOptions, {}, options);
  }

  /** Exchanges the use of a passkey, as `verifyEmail` exchanges a link. */
  verifyPasskey(input: PasskeyUse, options: CallOptions = {}): Promise<EmailGrant> {
    return this.#open.call(signInWithPasskey, { body: input }, options);
  }

  /** Cancels a first passkey with the part of a mailed link behind `#token=`, before it is effective. */
  async cancelPasskey(input: PasskeyCancellation, options: CallOptions = {}): Promise<void> {
    await this.#open.call(cancelPasskey, { body: input }, options);
  }

  /** Creates an organization; its first proved domain activates it. */
  createOrganization(input: OrganizationInput, options: CallOptions = {}): Promise<CreatedOrganization> {
    return this.#open.call(createMerchant, { body: input }, options);
  }

  /** Opens the session that this client uses from then on. */
  async open(input: SessionGrant, options: CallOptions = {}): Promise<OpenSession> {
    const opened = await this.#open.call(createMerchantSession, { body: input }, options);
    this.#credential.open(opened.csrf_token);
    return opened;
  }

  /** Resumes a session that is still open: after a reload of the page, or with `sessionCookie`. */
  async resume(options: CallOptions = {}): Promise<OpenSession> {
    const current = await this.#api.call(getMerchantSession, {}, options);
    this.#credential.open(current.csrf_token);
    return current;
  }

  /**
   * Signs out, together with the admin sessions that this session created; it is no error when the session has ended
   * already. After any other error the client keeps the session, so that the call can be repeated.
   */
  async signOut(options: CallOptions = {}): Promise<void> {
    await orEndedAlready(this.#api.call(endMerchantSession, {}, options));
    this.#credential.close();
  }

  /**
   * Signs the team member out everywhere, and revokes API keys in doubt: those created with an admin session, or in the
   * last 24 hours. A session that ended before the call is rejected: the others may still be open.
   */
  async signOutEverywhere(options: CallOptions = {}): Promise<void> {
    try {
      await this.#api.call(endAllMerchantSessions, {}, options);
    } catch (error) {
      if (!isApiError(error, 'token_revoked') || !error.earlierAttemptUnknown) throw error;
    }
    this.#credential.close();
  }

  /** The session cookie, to be kept as a secret and given as `sessionCookie` later. Undefined in browsers. */
  cookie(): string | undefined {
    return this.#credential.cookie();
  }
}
