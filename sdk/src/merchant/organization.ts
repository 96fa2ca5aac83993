import type { Merchant } from '@countersign/protocol';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';

/** Answer with the organization. */
export interface MerchantAnswer {
  /** The organization as it is now. */
  merchant: Merchant;
}

/** The organization of the session. */
export class MerchantOrganization {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Reads it. */
  get(options: CallOptions = {}): Promise<MerchantAnswer> {
    return this.#api.send<MerchantAnswer>(
      { method: 'GET', path: '/v1/merchants/current', answer: ['merchant'] },
      options,
    );
  }

  /** Renames it, or requires that its domain names every payee, which cannot be taken back. */
  update(
    input: { name?: string; require_payee_binding?: boolean; version: number },
    options: CallOptions = {},
  ): Promise<MerchantAnswer> {
    return this.#api.send<MerchantAnswer>(
      { method: 'PATCH', path: '/v1/merchants/current', body: input, answer: ['merchant'] },
      options,
    );
  }
}
