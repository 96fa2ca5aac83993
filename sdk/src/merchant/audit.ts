import type { AuditEvent, AuditEventType } from '@payassent/protocol';
import { listAuditEvents } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';

/** Which audit events. */
export interface AuditQuery extends PageQuery {
  /** Only acts of this type. */
  type?: AuditEventType;
  /** Only acts on this record. */
  target_id?: string;
}

/** One page of audit events. */
export interface AuditPage extends Page {
  /** Newest first. */
  audit_events: AuditEvent[];
}

/** Every act that changed a right or a secret. */
export class MerchantAudit {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of audit events. */
  list(query: AuditQuery = {}, options: CallOptions = {}): Promise<AuditPage> {
    return this.#api.call(listAuditEvents, { query: { ...query } }, options);
  }

  /** All audit events, page by page. */
  each(query: AuditQuery = {}, options: CallOptions = {}): AsyncGenerator<AuditEvent, void, undefined> {
    return eachRecord(this.#api, listAuditEvents, 'audit_events', { query }, options);
  }
}
