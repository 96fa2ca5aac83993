import type { ConnectionAnswer, CurrentConnection } from '../contract.ts';
import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { checkedId } from '../core/checks.ts';
import type { RateLimit } from '../core/rate-limits.ts';
import { type ClientOptions, resolveSettings } from '../core/settings.ts';
import { checkedStore, type Store, storeNames } from '../core/store.ts';
import { ConnectionPayees } from '../generated/connection.ts';
import { type AgentKey, checkedAgentKey } from '../keys/agent-key.ts';
import { disconnect, getCurrentConnection } from '../operations.ts';
import { ConnectionAgentPayments } from './agent-payments.ts';
import { type CollectToken, connectionCredential } from './connection-credential.ts';
import { ConnectionContexts } from './contexts.ts';
import { ConnectionPaymentRequests } from './payment-requests.ts';

/** Options of a client for one connection. */
export interface ConnectionClientOptions extends ClientOptions {
  /** `svc_ct_…`. Not needed when it is in the store; the stored one is newer and takes precedence. */
  connectionToken?: string;
  /** `con_…`; needed with a store, which may hold several connections. */
  connectionId?: string;
  /** Keeps the keys of creates, the token after a rotation, and cursors of events over restarts. */
  store?: Store;
  /** Fetches the agent's private token after a rotation; `AgentClient.connection` supplies it. */
  collectToken?: CollectToken;
  /**
   * The agent's key: each call then proves that its sender has it (header `DPoP`), which some merchants require.
   * `AgentClient.connection` supplies it.
   */
  proofKey?: AgentKey;
}

/** A connected agent: contexts, payment requests and their events, for one customer. */
export class ConnectionClient {
  /** Contexts: the purpose of a payment, in words that the customer reads before approving. */
  readonly contexts: ConnectionContexts;
  /** The payees that the agent may request payments to. */
  readonly payees: ConnectionPayees;
  /** Payment requests and their status. */
  readonly paymentRequests: ConnectionPaymentRequests;
  /** Agent payments and policies of this connection, to read and follow. */
  readonly agentPayments: ConnectionAgentPayments;
  readonly #api: Api;

  /** Nothing is sent before the first call. */
  constructor(options: ConnectionClientOptions) {
    const settings = resolveSettings(options);
    const { connectionToken: given, connectionId, collectToken: collect, proofKey } = options;
    if (connectionId !== undefined) checkedId('connectionId', connectionId);
    if (proofKey !== undefined) checkedAgentKey(proofKey);
    const store = checkedStore(options.store);
    const place = store && connectionId !== undefined ? { store, connectionId } : undefined;
    if (given === undefined && !place)
      throw new TypeError('Give a connectionToken, or a store that has it and the connectionId');
    const stored = async () => (await place?.store.get(storeNames.token(place.connectionId))) ?? undefined;
    this.#api = createApi(settings, connectionCredential(settings, { given, stored, collect }, proofKey));
    this.contexts = new ConnectionContexts(this.#api);
    this.payees = new ConnectionPayees(this.#api);
    this.agentPayments = new ConnectionAgentPayments(this.#api, connectionId, store);
    this.paymentRequests = new ConnectionPaymentRequests(this.#api, connectionId, store);
  }

  /** The state of the connection: what the agent may do, what its policies leave, and when the wallet was last seen. */
  current(options: CallOptions = {}): Promise<CurrentConnection> {
    return this.#api.call(getCurrentConnection, {}, options);
  }

  /** Revokes the connection: the token is rejected from then on, and pending requests are rejected. */
  disconnect(options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#api.call(disconnect, {}, options);
  }

  /** The base URL of the service. */
  get baseUrl(): string {
    return this.#api.settings.baseUrl;
  }

  /** The limits that the service reported last. */
  get rateLimits(): RateLimit[] {
    return this.#api.settings.rateLimits.known();
  }
}
