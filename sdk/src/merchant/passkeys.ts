import type { MerchantSession, Passkey } from '@payassent/protocol';
import {
  getPasskeyRegistrationOptions,
  getStepUpOptions,
  listPasskeys,
  registerPasskey,
  removePasskey,
  stepUp,
} from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';

/** What the browser is asked, in the JSON form of WebAuthn: for `parseCreationOptionsFromJSON` and its sibling. */
export interface PasskeyOptions {
  /** Works once, for 5 minutes, in the session that asked. */
  options: Record<string, unknown>;
}

/** What every response of a passkey has. */
export interface PasskeyResponse {
  /** The credential's id, base64url. */
  id: string;
  /** The same. */
  rawId: string;
  /** `public-key`. */
  type: string;
}

/** A new passkey as `toJSON()` of the browser gives it. */
export interface PasskeyRegistration extends PasskeyResponse {
  /** What the authenticator made. */
  response: { clientDataJSON: string; attestationObject: string };
}

/** The use of a passkey as `toJSON()` of the browser gives it. */
export interface PasskeyAssertion extends PasskeyResponse {
  /** What the authenticator signed. */
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
}

/** Answer with one passkey. */
export interface PasskeyAnswer {
  /** The passkey. */
  passkey: Passkey;
}

/** Passkeys of the operator who is signed in. From the first one on, calls that matter need its use. */
export class MerchantPasskeys {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** What to ask the browser for a new passkey. */
  registrationOptions(options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.#api.call(getPasskeyRegistrationOptions, {}, options);
  }

  /** Registers what the browser made. */
  register(
    input: { name: string; credential: PasskeyRegistration },
    options: CallOptions = {},
  ): Promise<PasskeyAnswer> {
    return this.#api.call(registerPasskey, { body: input }, options);
  }

  /** All passkeys of the operator, newest first. */
  list(options: CallOptions = {}): Promise<{ passkeys: Passkey[] }> {
    return this.#api.call(listPasskeys, {}, options);
  }

  /** Removes a passkey. */
  remove(passkeyId: string, options: CallOptions = {}): Promise<PasskeyAnswer> {
    return this.#api.call(removePasskey, { params: { id: passkeyId } }, options);
  }

  /** What to ask the browser so that calls refused with `step_up_required` pass. */
  stepUpOptions(options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.#api.call(getStepUpOptions, {}, options);
  }

  /** Takes the use of a passkey; for 10 minutes calls that need it pass. */
  stepUp(
    input: { credential: PasskeyAssertion },
    options: CallOptions = {},
  ): Promise<{ session: MerchantSession }> {
    return this.#api.call(stepUp, { body: input }, options);
  }
}
