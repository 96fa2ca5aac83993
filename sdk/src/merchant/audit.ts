import type { AuditEvent, AuditPage, AuditQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { listAuditEvents } from '../operations.ts';

/** Every act that changed a right or a secret. */
export class MerchantAudit {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of audit events. */
  list(query: AuditQuery = {}, options: CallOptions = {}): Promise<AuditPage> {
    return this.#api.call(listAuditEvents, { query }, options);
  }

  /** All audit events, page by page. */
  each(query: AuditQuery = {}, options: CallOptions = {}): AsyncGenerator<AuditEvent, void, undefined> {
    return eachRecord(this.#api, listAuditEvents, 'audit_events', { query }, options);
  }
}
