import type { AuditEvent, AuditPage, AuditQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { listWalletAuditEvents } from '../operations.ts';

/** Every act that changed a right or a secret of this wallet: devices, codes, connections, policies. */
export class WalletAudit {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of audit events. What a merchant did has the actor `merchant` with its name. */
  list(query: AuditQuery = {}, options: CallOptions = {}): Promise<AuditPage> {
    return this.#api.call(listWalletAuditEvents, { query }, options);
  }

  /** All audit events, page by page. */
  each(query: AuditQuery = {}, options: CallOptions = {}): AsyncGenerator<AuditEvent, void, undefined> {
    return eachRecord(this.#api, listWalletAuditEvents, 'audit_events', { query }, options);
  }
}
