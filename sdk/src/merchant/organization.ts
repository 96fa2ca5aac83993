import type { MerchantAnswer, MerchantChange } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { getMerchant, updateMerchant } from '../operations.ts';

/** The organization of the session. */
export class MerchantOrganization {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Reads it. */
  get(options: CallOptions = {}): Promise<MerchantAnswer> {
    return this.#api.call(getMerchant, {}, options);
  }

  /**
   * Renames it, requires that its domain names every payee (which cannot be taken back), or requires two owners for
   * changes of payees and operators.
   */
  update(input: MerchantChange, options: CallOptions = {}): Promise<MerchantAnswer> {
    return this.#api.call(updateMerchant, { body: input }, options);
  }
}
