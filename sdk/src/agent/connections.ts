import { collectConnectionToken, listConnections } from '@payassent/protocol/api';
import type { Connection, ConnectionsPage, ConnectionWithToken, PageQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';

/** The connections of the agent. */
export class AgentConnections {
  readonly #api: Api;

  /** Made by `AgentClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of the agent's connections. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return this.#api.call(listConnections, { query }, options);
  }

  /** All of the agent's connections, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachRecord(this.#api, listConnections, 'connections', { query }, options);
  }

  /** The current token of a connection, as long as it has never been used: after a rotation or a lost answer. */
  collectToken(connectionId: string, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return this.#api.call(collectConnectionToken, { params: { id: connectionId } }, options);
  }
}
