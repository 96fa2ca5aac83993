import type { FiguresAnswer, FiguresQuery, MerchantAnswer, MerchantChange } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { getFigures, getMerchant, updateMerchant } from '../operations.ts';

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

  /** What was received and how users decide; the chain's word and the wallet's word are never added up. */
  figures(query: FiguresQuery = {}, options: CallOptions = {}): Promise<FiguresAnswer> {
    return this.#api.call(getFigures, { query }, options);
  }

  /**
   * Renames it, requires that its domain names every payee (which cannot be taken back), or requires two owners for
   * changes of payees and operators and the deletion of a domain.
   */
  update(input: MerchantChange, options: CallOptions = {}): Promise<MerchantAnswer> {
    return this.#api.call(updateMerchant, { body: input }, options);
  }
}
