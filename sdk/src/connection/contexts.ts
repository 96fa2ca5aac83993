import type { TransactionContext } from '@payassent/protocol';
import { getTransactionContext, postTransactionContext } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';

/** What the user should read before approving. Free-form besides these members; payment facts are refused in it. */
export interface ContextInput {
  /** A known id gets a new revision; without one the service makes a new id. */
  transaction_id?: string;
  /** A line that names the purchase. */
  title?: string;
  /** A few sentences. */
  summary?: string;
  /** What is bought. */
  line_items?: readonly unknown[];
  /** Anything else. */
  [member: string]: unknown;
}

/** Answer with one context. */
export interface ContextAnswer {
  /** The newest revision, or the one asked for. */
  transaction_context: TransactionContext;
}

/** Selects a context. */
export interface ContextQuery {
  /** For wallets that know several connections. */
  connection_id?: string;
  /** The one that a request has pinned; the newest when absent. */
  revision?: number;
}

/** Reads a context with whatever credential the client has. */
export function readContext(
  api: Api,
  transactionId: string,
  query: ContextQuery,
  options: CallOptions,
): Promise<ContextAnswer> {
  return api.call(
    getTransactionContext,
    { params: { transaction_id: transactionId }, query: { ...query } },
    options,
  );
}

/** Transaction contexts of the connection. */
export class ConnectionContexts {
  readonly #api: Api;

  /** Made by `ConnectionClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a context, or appends a revision. Not repeated by itself: a second one would be a revision. */
  create(input: ContextInput, options: CallOptions = {}): Promise<ContextAnswer> {
    return this.#api.call(postTransactionContext, { body: input }, options);
  }

  /** Reads the newest revision. */
  get(transactionId: string, options: CallOptions = {}): Promise<ContextAnswer> {
    return readContext(this.#api, transactionId, {}, options);
  }
}
