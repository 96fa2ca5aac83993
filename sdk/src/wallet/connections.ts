import type { ConnectionAnswer, ConnectionChange } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { WalletConnectionsCalls } from '../generated/wallet.ts';
import { updateConnection } from '../operations.ts';

/** Agents that are connected to the wallet. */
export class WalletConnections extends WalletConnectionsCalls {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /** Pauses the connection: the agent can read but request nothing. */
  pause(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#change(connectionId, { status: 'paused' }, options);
  }

  /** Resumes a paused connection. */
  resume(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#change(connectionId, { status: 'active' }, options);
  }

  /**
   * Reports that the customer was shown these names of agent and merchant. Until then a connection whose agent or
   * merchant was renamed carries the `former_name` next to the name.
   */
  namesSeen(
    connectionId: string,
    names: NonNullable<ConnectionChange['seen_names']>,
    options: CallOptions = {},
  ): Promise<ConnectionAnswer> {
    return this.#change(connectionId, { seen_names: names }, options);
  }

  #change(connectionId: string, body: ConnectionChange, options: CallOptions): Promise<ConnectionAnswer> {
    return this.#api.call(updateConnection, { params: { id: connectionId }, body }, options);
  }
}
