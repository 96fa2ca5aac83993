import { disconnect } from '@payassent/protocol/api';
import type { ConnectionAnswer } from '../contract.ts';
import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import type { IdempotencyStore } from '../core/idempotency.ts';
import type { RateLimit } from '../core/rate-limits.ts';
import { type ClientOptions, resolveSettings } from '../core/settings.ts';
import type { AgentKey } from '../keys/agent-key.ts';
import { type CollectToken, connectionCredential } from './connection-credential.ts';
import { ConnectionContexts } from './contexts.ts';
import { ConnectionPayees } from './payees.ts';
import { ConnectionPaymentRequests } from './payment-requests.ts';

/** What acting within a connection needs. */
export interface ConnectionClientOptions extends ClientOptions {
  /** `svc_ct_…` */
  connectionToken: string;
  /** `con_…`; keeps stored keys of several connections apart. */
  connectionId?: string;
  /** Remembers keys of creates over restarts. */
  idempotencyStore?: IdempotencyStore;
  /** Fetches the new token after a rotation; `AgentClient.connection` brings its own. */
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
  readonly #api: Api;

  /** Nothing is sent before the first call. */
  constructor(options: ConnectionClientOptions) {
    const { connectionToken, connectionId, collectToken, idempotencyStore, proofKey } = options;
    const settings = resolveSettings(options);
    this.#api = createApi(settings, connectionCredential(settings, connectionToken, collectToken, proofKey));
    this.contexts = new ConnectionContexts(this.#api);
    this.payees = new ConnectionPayees(this.#api);
    this.paymentRequests = new ConnectionPaymentRequests(this.#api, connectionId, idempotencyStore);
  }

  /** Ends the connection for good: the token is refused from then on, and pending requests are rejected. */
  disconnect(options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#api.call(disconnect, {}, options);
  }

  /** What the service last said about its limits. */
  get rateLimits(): RateLimit[] {
    return this.#api.settings.rateLimits.known();
  }
}
