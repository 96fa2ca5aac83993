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

/** What acting within a connection needs. */
export interface ConnectionClientOptions extends ClientOptions {
  /** `svc_ct_…`. Not needed when the store has it; a stored one is newer and counts. */
  connectionToken?: string;
  /** `con_…`; needed with a store, which may hold several connections. */
  connectionId?: string;
  /** Remembers keys of creates, the token after a rotation, and cursors of events over restarts. */
  store?: Store;
  /** Fetches the agent's own token after a rotation; `AgentClient.connection` brings its own. */
  collectToken?: CollectToken;
  /**
   * The agent's key: each call then proves that its sender holds it (header `DPoP`), which some merchants require.
   * `AgentClient.connection` brings its own.
   */
  proofKey?: AgentKey;
}

/** A connected agent: contexts, payment requests and their events, for one user. */
export class ConnectionClient {
  /** What a payment is for, in words that the user reads before approving. */
  readonly contexts: ConnectionContexts;
  /** Whom the agent may ask its user to pay. */
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

  /** Where the agent stands: what it may do, what its policies leave, and when the wallet was last seen. */
  current(options: CallOptions = {}): Promise<CurrentConnection> {
    return this.#api.call(getCurrentConnection, {}, options);
  }

  /** Ends the connection for good: the token is refused from then on, and pending requests are rejected. */
  disconnect(options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#api.call(disconnect, {}, options);
  }

  /** Where the service lives. */
  get baseUrl(): string {
    return this.#api.settings.baseUrl;
  }

  /** What the service last said about its limits. */
  get rateLimits(): RateLimit[] {
    return this.#api.settings.rateLimits.known();
  }
}
