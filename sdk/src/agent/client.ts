import { ConnectionClient } from '../connection/client.ts';
import type { AgentToken, ConnectionWithToken } from '../contract.ts';
import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { checkedId, needObject } from '../core/checks.ts';
import type { RateLimit } from '../core/rate-limits.ts';
import { type ClientOptions, resolveSettings, type Settings } from '../core/settings.ts';
import { checkedStore, type Store, storeNames } from '../core/store.ts';
import { type AgentKey, checkedAgentKey } from '../keys/agent-key.ts';
import {
  type AgentCredential,
  type AgentIdentity,
  agentCredential,
  exchangeAssertion,
} from './agent-credential.ts';
import { AgentConnections, type CollectOwnToken } from './connections.ts';
import { AgentInvitations, type Connected, type ConnectionGrant } from './invitations.ts';
import { AgentPairing } from './pairing.ts';

/** What an agent needs to prove who it is. */
export interface AgentClientOptions extends ClientOptions {
  /** The agent's identifier, `agt_…`. */
  agentId: string;
  /** The name under which the key is registered. */
  kid: string;
  /** Signs assertions, and a proof with every call of a connection; the private key stays in it. */
  key: AgentKey;
  /**
   * Keeps tokens, keys and cursors of every connection over restarts. `fileStore` of `@payassent/sdk/node`, your own
   * database, or `memoryStore` for a trial.
   */
  store: Store;
}

/**
 * A registered agent: it signs assertions, keeps a short token fresh, and connects to customers. What it does for a
 * customer is done by the `ConnectionClient` that a connection gives.
 *
 * @example
 * ```ts
 * const key = agentKeyFromSeed(seed);
 * const agent = new AgentClient({ baseUrl, agentId, kid, key, store: fileStore('agent-store') });
 * ```
 */
export class AgentClient {
  /** Connect Keys that customers hand to this agent. */
  readonly invitations: AgentInvitations;
  /** Pairing by a short code. */
  readonly pairing: AgentPairing;
  /** The agent's connections. */
  readonly connections: AgentConnections;
  readonly #settings: Settings;
  readonly #identity: AgentIdentity;
  readonly #credential: AgentCredential;
  readonly #options: AgentClientOptions;

  /** Nothing is sent before the first call. */
  constructor(options: AgentClientOptions) {
    this.#settings = resolveSettings(options);
    checkedId('agentId', options.agentId);
    if (typeof options.kid !== 'string' || options.kid === '')
      throw new TypeError('kid is needed: the name under which the merchant has registered the key');
    checkedAgentKey(options.key);
    this.#options = options;
    this.#identity = { agentId: options.agentId, kid: options.kid, key: options.key };
    this.#credential = agentCredential(this.#settings, this.#identity);
    const api: Api = createApi(this.#settings, this.#credential);
    const store = neededStore(options.store);
    const keep = async (granted: ConnectionWithToken) => {
      const { connection, connection_token } = granted;
      await store.set(storeNames.token(connection.connection_id), connection_token);
      return granted;
    };
    const open = (granted: ConnectionWithToken): Connected => {
      const { connection_id: connectionId } = granted.connection;
      return { ...granted, client: this.connection({ connectionId }) };
    };
    this.connections = new AgentConnections(api, keep);
    const collect: CollectOwnToken = (connectionId, rest) =>
      this.connections.collectToken(connectionId, rest);
    this.invitations = new AgentInvitations(api, { keep, collect, open });
    this.pairing = new AgentPairing(api, { collect, open });
  }

  /**
   * Acts within a connection, with the token in the store. After a rotation by the customer's wallet the agent's
   * private token is collected automatically, and stored before it is used.
   *
   * @example
   * ```ts
   * const client = agent.connection({ connectionId: 'con_…' });
   * ```
   */
  connection(grant: ConnectionGrant): ConnectionClient {
    needObject(grant, "Name the connection as an object, for example { connectionId: 'con_…' }");
    checkedId('connectionId', grant.connectionId);
    return new ConnectionClient({
      ...this.#options,
      ...grant,
      proofKey: this.#options.key,
      collectToken: async () => (await this.connections.collectToken(grant.connectionId)).connection_token,
    });
  }

  /** The token that the next call would send; fetched when there is no valid one. */
  token(signal?: AbortSignal): Promise<string> {
    return this.#credential.token(signal);
  }

  /** Signs an assertion and exchanges it, even when there is a valid token. */
  exchangeAssertion(options: CallOptions = {}): Promise<AgentToken> {
    return exchangeAssertion(this.#settings, this.#identity, options);
  }

  /** The limits that the service reported last. */
  get rateLimits(): RateLimit[] {
    return this.#settings.rateLimits.known();
  }
}

/** A missing store must be noticed here, not after the first rotation. */
function neededStore(store: Store): Store {
  if (store === undefined || store === null)
    throw new TypeError(
      'store is needed: use fileStore(path) of @payassent/sdk/node, your database, or memoryStore() for a trial',
    );
  return checkedStore(store);
}
