import type { Connection, ConnectionsPage, ConnectionWithToken, PageQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { collectConnectionToken, listConnections } from '../operations.ts';

/** Puts the token of a connection into the store before anyone uses it. */
export type KeepToken = (granted: ConnectionWithToken) => Promise<ConnectionWithToken>;

/** The connections of the agent. */
export class AgentConnections {
  readonly #api: Api;
  readonly #keep: KeepToken;

  /** Made by `AgentClient`. */
  constructor(api: Api, keep: KeepToken) {
    this.#api = api;
    this.#keep = keep;
  }

  /** One page of the agent's connections. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return this.#api.call(listConnections, { query }, options);
  }

  /** All of the agent's connections, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachRecord(this.#api, listConnections, 'connections', { query }, options);
  }

  /**
   * The current token of a connection, as long as it has never been used: after a rotation or a lost answer. It is put
   * into the store.
   */
  async collectToken(connectionId: string, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return this.#keep(
      await this.#api.call(collectConnectionToken, { params: { id: connectionId } }, options),
    );
  }
}
