import type {
  Connection,
  ConnectionAnswer,
  ConnectionChange,
  ConnectionsPage,
  ConnectionWithToken,
  PageQuery,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { listConnections, revokeConnection, rotateConnectionToken, updateConnection } from '../operations.ts';

/** Agents that are connected to the wallet. */
export class WalletConnections {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of the wallet's connections. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return this.#api.call(listConnections, { query }, options);
  }

  /** All of the wallet's connections, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachRecord(this.#api, listConnections, 'connections', { query }, options);
  }

  /** Pauses: the agent can read but ask for nothing. */
  pause(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#change(connectionId, { status: 'paused' }, options);
  }

  /** Lets a paused connection go on. */
  resume(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#change(connectionId, { status: 'active' }, options);
  }

  /**
   * Reports that the user was shown these names of agent and merchant. Until then a connection whose agent or merchant
   * was renamed carries the `former_name` beside the name.
   */
  namesSeen(
    connectionId: string,
    names: NonNullable<ConnectionChange['seen_names']>,
    options: CallOptions = {},
  ): Promise<ConnectionAnswer> {
    return this.#change(connectionId, { seen_names: names }, options);
  }

  /** Revokes for good; pending requests are rejected. */
  revoke(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#api.call(revokeConnection, { params: { id: connectionId } }, options);
  }

  /** Replaces the connection token; the previous one ends immediately, and so does this one when the agent collects its own. */
  rotateToken(connectionId: string, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return this.#api.call(rotateConnectionToken, { params: { id: connectionId } }, options);
  }

  #change(connectionId: string, body: ConnectionChange, options: CallOptions): Promise<ConnectionAnswer> {
    return this.#api.call(updateConnection, { params: { id: connectionId }, body }, options);
  }
}
