import type { Connection, ConnectionAnswer, ConnectionsPage, PageQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { listConnections, revokeConnection } from '../operations.ts';

/** Users that are connected to the organization's agents. */
export class MerchantConnections {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of the organization's connections. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return this.#api.call(listConnections, { query }, options);
  }

  /** All of the organization's connections, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachRecord(this.#api, listConnections, 'connections', { query }, options);
  }

  /** Revokes for good; pending requests are rejected. */
  revoke(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#api.call(revokeConnection, { params: { id: connectionId } }, options);
  }
}
