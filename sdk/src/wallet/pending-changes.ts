import type { PendingChange, PendingChangeAnswer } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { cancelPendingChange, listPendingChanges } from '../operations.ts';

/** Changes of the wallet's keys that no key has authorized: they take effect after 24 hours. */
export class WalletPendingChanges {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Those that wait and the newest ones that do not any more, newest first. Show every pending one to the user. */
  async list(options: CallOptions = {}): Promise<PendingChange[]> {
    return (await this.#api.call(listPendingChanges, {}, options)).pending_changes;
  }

  /** Cancels one before it takes effect. Every device of the wallet may. */
  cancel(changeId: string, options: CallOptions = {}): Promise<PendingChangeAnswer> {
    return this.#api.call(cancelPendingChange, { params: { id: changeId } }, options);
  }
}
