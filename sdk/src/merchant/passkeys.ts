import type {
  PasskeyAnswer,
  PasskeyInput,
  PasskeyList,
  PasskeyOptions,
  PasskeyUse,
  SessionAnswer,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import {
  confirmPasskey,
  getPasskeyRegistrationOptions,
  getStepUpOptions,
  listPasskeys,
  registerPasskey,
  removePasskey,
  stepUp,
} from '../operations.ts';

/** Passkeys of the operator who is signed in. Once one is effective, calls that matter need its use. */
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
  register(input: PasskeyInput, options: CallOptions = {}): Promise<PasskeyAnswer> {
    return this.#api.call(registerPasskey, { body: input }, options);
  }

  /** All passkeys of the operator, newest first. */
  list(options: CallOptions = {}): Promise<PasskeyList> {
    return this.#api.call(listPasskeys, {}, options);
  }

  /** Removes a passkey. */
  remove(passkeyId: string, options: CallOptions = {}): Promise<PasskeyAnswer> {
    return this.#api.call(removePasskey, { params: { id: passkeyId } }, options);
  }

  /** Makes the first passkey of another operator effective; `operators.list()` has those that wait. */
  confirm(passkeyId: string, options: CallOptions = {}): Promise<PasskeyAnswer> {
    return this.#api.call(confirmPasskey, { params: { id: passkeyId } }, options);
  }

  /** What to ask the browser so that calls refused with `step_up_required` pass. */
  stepUpOptions(options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.#api.call(getStepUpOptions, {}, options);
  }

  /** Takes the use of a passkey; for 10 minutes calls that need it pass. */
  stepUp(input: PasskeyUse, options: CallOptions = {}): Promise<SessionAnswer> {
    return this.#api.call(stepUp, { body: input }, options);
  }
}
