import type { ConnectionWithToken } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { AgentConnectionsCalls } from '../generated/agent.ts';
import { collectConnectionToken } from '../operations.ts';

/** Puts the token of a connection into the store before it is used. */
export type KeepToken = (granted: ConnectionWithToken) => Promise<ConnectionWithToken>;

/** Collects the agent's private token of a connection and puts it into the store. */
export type CollectOwnToken = (connectionId: string, options: CallOptions) => Promise<ConnectionWithToken>;

/** The connections of the agent. */
export class AgentConnections extends AgentConnectionsCalls {
  readonly #api: Api;
  readonly #keep: KeepToken;

  /** Made by `AgentClient`. */
  constructor(api: Api, keep: KeepToken) {
    super(api);
    this.#api = api;
    this.#keep = keep;
  }

  /**
   * The agent's private token of a connection, the same until the next rotation; a token that a wallet has seen becomes
   * invalid. It is put into the store. The client does this after every exchange, pairing and rotation.
   */
  async collectToken(connectionId: string, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return this.#keep(
      await this.#api.call(collectConnectionToken, { params: { id: connectionId } }, options),
    );
  }
}
