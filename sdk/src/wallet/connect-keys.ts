import type {
  ConnectKey,
  ConnectKeyAnswer,
  ConnectKeysPage,
  CreatedConnectKey,
  PageQuery,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { createConnectKey, listConnectKeys, withdrawConnectKey } from '../operations.ts';

/** One-time keys that let an agent ask for a connection. A key is no approval. */
export class WalletConnectKeys {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Makes a key; it lives ten minutes. */
  create(options: CallOptions = {}): Promise<CreatedConnectKey> {
    return this.#api.call(createConnectKey, {}, options);
  }

  /** One page of the wallet's keys. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectKeysPage> {
    return this.#api.call(listConnectKeys, { query }, options);
  }

  /** All of the wallet's keys, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<ConnectKey, void, undefined> {
    return eachRecord(this.#api, listConnectKeys, 'connect_keys', { query }, options);
  }

  /** Withdraws a key that nobody has claimed. */
  withdraw(connectKeyId: string, options: CallOptions = {}): Promise<ConnectKeyAnswer> {
    return this.#api.call(withdrawConnectKey, { params: { id: connectKeyId } }, options);
  }
}
