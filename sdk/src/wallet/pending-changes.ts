import type { PendingChange } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { WalletPendingChangesCalls } from '../generated/wallet.ts';
import { listPendingChanges } from '../operations.ts';

/** Changes of the wallet's keys that no key has authorized: they take effect after 24 hours. */
export class WalletPendingChanges extends WalletPendingChangesCalls {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /** The pending changes and the most recent closed ones, newest first. Show every pending one to the customer. */
  async list(options: CallOptions = {}): Promise<PendingChange[]> {
    return (await this.#api.call(listPendingChanges, {}, options)).pending_changes;
  }
}
