import type { Connection } from '@payassent/protocol';
import { type ConnectionsPage, eachConnection, listConnections } from '../agent/connections.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import type { PageQuery } from '../core/pages.ts';
import { type ConnectionAnswer, revokeConnection } from '../wallet/connections.ts';

/** Users that are connected to the organization's agents. */
export class MerchantConnections {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of the organization's connections. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return listConnections(this.#api, query, options);
  }

  /** All of the organization's connections, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachConnection(this.#api, query, options);
  }

  /** Revokes for good; pending requests are rejected. */
  revoke(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return revokeConnection(this.#api, connectionId, options);
  }
}
