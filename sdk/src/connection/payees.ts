import type { Payee, PayeeAnswer, PayeeQuery, PayeesPage } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { getPayee, listPayees } from '../operations.ts';

/** Whom the agent may ask its user to pay. */
export class ConnectionPayees {
  readonly #api: Api;

  /** Made by `ConnectionClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of payees, by name. */
  list(query: PayeeQuery = {}, options: CallOptions = {}): Promise<PayeesPage> {
    return this.#api.call(listPayees, { query }, options);
  }

  /** All payees, page by page. */
  each(query: PayeeQuery = {}, options: CallOptions = {}): AsyncGenerator<Payee, void, undefined> {
    return eachRecord(this.#api, listPayees, 'payees', { query }, options);
  }

  /** Reads one payee. */
  get(recipientId: string, options: CallOptions = {}): Promise<PayeeAnswer> {
    return this.#api.call(getPayee, { params: { recipient_id: recipientId } }, options);
  }
}
