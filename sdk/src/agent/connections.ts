import type { Connection, ConnectionsPage, ConnectionWithToken, PageQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { collectConnectionToken, listConnections } from '../operations.ts';

/** Puts the token of a connection into the store before it is used. */
export type KeepToken = (granted: ConnectionWithToken) => Promise<ConnectionWithToken>;

/** Collects the agent's own token of a connection and puts it into the store. */
export type CollectOwnToken = (connectionId: string, options: CallOptions) => Promise<ConnectionWithToken>;

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
   * The agent's own token of a connection, the same until the next rotation; a token that a wallet has seen ends. It is
   * put into the store. The client does this after every exchange, pairing and rotation.
   */
  async collectToken(connectionId: string, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return this.#keep(
      await this.#api.call(collectConnectionToken, { params: { id: connectionId } }, options),
    );
  }
}
