/*
 * Written from protocol/src/api and protocol/src/records by "npm run generate". Do not edit.
 */
import type { Connection, ConnectionsPage, PageQuery, RequestLogPage, RequestLogQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/api.ts';
import { listConnections, listRequestLog } from '../operations.ts';

/** What `AgentConnections` passes on as it is. */
export class AgentConnectionsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** List connections: the wallet's, the agent's or the organization's. Newest first. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return this.#api.call(listConnections, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachRecord(this.#api, listConnections, 'connections', { query }, options);
  }

  /** List the last calls of an agent. Newest first, within seconds of the call. */
  requestLog(query: RequestLogQuery = {}, options: CallOptions = {}): Promise<RequestLogPage> {
    return this.#api.call(listRequestLog, { query }, options);
  }
}
