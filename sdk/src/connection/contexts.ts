import type { ContextAnswer, ContextInput } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { getTransactionContext, postTransactionContext } from '../operations.ts';

/** Transaction contexts of the connection. */
export class ConnectionContexts {
  readonly #api: Api;

  /** Made by `ConnectionClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a context, or appends a revision. Not retried automatically: a retry could append a second revision. */
  create(input: ContextInput, options: CallOptions = {}): Promise<ContextAnswer> {
    return this.#api.call(postTransactionContext, { body: input }, options);
  }

  /** Reads the newest revision. */
  get(transactionId: string, options: CallOptions = {}): Promise<ContextAnswer> {
    return this.#api.call(getTransactionContext, { params: { transaction_id: transactionId } }, options);
  }
}
