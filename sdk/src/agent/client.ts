import { ConnectionClient } from '../connection/client.ts';
import type { AgentToken } from '../contract.ts';
import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import type { IdempotencyStore } from '../core/idempotency.ts';
import type { RateLimit } from '../core/rate-limits.ts';
import { type ClientOptions, resolveSettings, type Settings } from '../core/settings.ts';
import type { AgentKey } from '../keys/agent-key.ts';
import {
  type AgentCredential,
  type AgentIdentity,
  agentCredential,
  exchangeAssertion,
} from './agent-credential.ts';
import { AgentConnections } from './connections.ts';
import { AgentInvitations, type ConnectionGrant } from './invitations.ts';
import { AgentPairing } from './pairing.ts';

/** What an agent needs to prove who it is. */
export interface AgentClientOptions extends ClientOptions {
  /** The agent's identifier, `agt_…`. */
  agentId: string;
  /** The name under which the key is registered. */
  kid: string;
  /** Signs assertions, and a proof with every call of a connection; the private key stays in it. */
  key: AgentKey;
  /** Remembers keys of creates over restarts, for every connection of this client. */
  idempotencyStore?: IdempotencyStore;
  /** Hears of a connection token that replaced a rotated one, so that it can be stored. */
  onConnectionToken?: (token: string, connectionId: string) => unknown;
}

/**
 * A registered agent: it signs assertions, keeps a short token fresh, and connects to users. What it does for a user is
 * done by the `ConnectionClient` that a connection gives.
 */
export class AgentClient {
  /** Connect Keys that users hand to this agent. */
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
    if (!options.agentId || !options.kid) throw new TypeError('agentId and kid are needed');
    this.#options = options;
    this.#settings = resolveSettings(options);
    this.#identity = { agentId: options.agentId, kid: options.kid, key: options.key };
    this.#credential = agentCredential(this.#settings, this.#identity);
    const api: Api = createApi(this.#settings, this.#credential);
    const open = (grant: ConnectionGrant) => this.connection(grant);
    this.invitations = new AgentInvitations(api, open);
    this.pairing = new AgentPairing(api, open);
    this.connections = new AgentConnections(api);
  }

  /** Acts within a connection. A token that the user's wallet has rotated is collected again by itself. */
  connection(grant: ConnectionGrant): ConnectionClient {
    const { connectionId, connectionToken } = grant;
    const { onConnectionToken, idempotencyStore } = this.#options;
    return new ConnectionClient({
      ...this.#options,
      connectionId,
      connectionToken,
      proofKey: this.#options.key,
      ...(idempotencyStore ? { idempotencyStore } : {}),
      collectToken: async () => {
        const { connection_token } = await this.connections.collectToken(connectionId);
        await onConnectionToken?.(connection_token, connectionId);
        return connection_token;
      },
    });
  }

  /** The token that the next call would send; fetched when there is none that still works. */
  token(signal?: AbortSignal): Promise<string> {
    return this.#credential.token(signal);
  }

  /** Signs an assertion and exchanges it, whatever token is already there. */
  exchangeAssertion(options: CallOptions = {}): Promise<AgentToken> {
    return exchangeAssertion(this.#settings, this.#identity, options);
  }

  /** What the service last said about its limits. */
  get rateLimits(): RateLimit[] {
    return this.#settings.rateLimits.known();
  }
}
