import type { Connection } from '@payassent/protocol';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';
import type { ConnectionWithToken } from './invitations.ts';

/** One page of connections. */
export interface ConnectionsPage extends Page {
  /** Newest first. */
  connections: Connection[];
}

/** Lists connections; what the caller sees depends on its credential. */
export function listConnections(api: Api, query: PageQuery, options: CallOptions): Promise<ConnectionsPage> {
  return api.send<ConnectionsPage>(
    { method: 'GET', path: '/v1/connections', query: { ...query }, answer: ['connections', 'next_cursor'] },
    options,
  );
}

/** Walks through all of them. */
export function eachConnection(
  api: Api,
  query: PageQuery,
  options: CallOptions,
): AsyncGenerator<Connection, void, undefined> {
  const read = async (page: PageQuery, pageOptions: CallOptions) => {
    const { connections, next_cursor } = await listConnections(api, page, pageOptions);
    return { items: connections, next: next_cursor };
  };
  return eachRecord(read, query, options);
}

/** Asks for a token that nobody has used yet. */
export function collectToken(
  api: Api,
  connectionId: string,
  options: CallOptions,
): Promise<ConnectionWithToken> {
  return api.send<ConnectionWithToken>(
    {
      method: 'POST',
      path: '/v1/connections/{id}/collect-token',
      params: { id: connectionId },
      answer: ['connection', 'connection_token'],
    },
    options,
  );
}

/** The connections of the agent. */
export class AgentConnections {
  readonly #api: Api;

  /** Made by `AgentClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of the agent's connections. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return listConnections(this.#api, query, options);
  }

  /** All of the agent's connections, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachConnection(this.#api, query, options);
  }

  /** The current token of a connection, as long as it has never been used: after a rotation or a lost answer. */
  collectToken(connectionId: string, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return collectToken(this.#api, connectionId, options);
  }
}
