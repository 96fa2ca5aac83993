import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { apiKey, bearer, type CallCredential, orEndedAlready } from '../core/credential.ts';
import type { RateLimit } from '../core/rate-limits.ts';
import { type ClientOptions, resolveSettings } from '../core/settings.ts';
import { checkedStore, type Store } from '../core/store.ts';
import { AutomationPolicies } from '../generated/agent-payments.ts';
import { endAdminSession } from '../operations.ts';
import { AgentPayments } from './payments.ts';

/** The caller: exactly one of the two. A wallet uses `WalletClient.agentPayments` and `.policies`. */
export type AgentPaymentsCredential =
  /** A project API key, `svc_key_test_…`: an agent. */
  | { apiKey: string; sessionToken?: never }
  /** An admin session, `svc_st_…`: a person. */
  | { sessionToken: string; apiKey?: never };

/** Options of the client of agent payments. */
export type AgentPaymentsClientOptions = ClientOptions &
  AgentPaymentsCredential & {
    /** Keeps the keys of creates over restarts. */
    store?: Store;
  };

/** The second surface: agent payments and automation policies. Every method returns the `data` of the response. */
export class AgentPaymentsClient {
  /** Intended payments and their status. */
  readonly payments: AgentPayments;
  /** Policies: which payments an agent may make without asking each time. */
  readonly policies: AutomationPolicies;
  readonly #api: Api;

  /** Nothing is sent before the first call. */
  constructor(options: AgentPaymentsClientOptions) {
    this.#api = createApi(resolveSettings(options), readCredential(options));
    this.payments = new AgentPayments(this.#api, checkedStore(options.store));
    this.policies = new AutomationPolicies(this.#api);
  }

  /** Ends the admin session that this client uses; it is no error when the session has ended already. */
  endSession(options: CallOptions = {}): Promise<void> {
    return orEndedAlready(this.#api.call(endAdminSession, {}, options));
  }

  /** The limits that the service reported last. */
  get rateLimits(): RateLimit[] {
    return this.#api.settings.rateLimits.known();
  }
}

function readCredential(options: AgentPaymentsClientOptions): CallCredential {
  const { apiKey: key, sessionToken } = options;
  if (key !== undefined && sessionToken === undefined) return apiKey(key);
  if (sessionToken !== undefined && key === undefined) return bearer(sessionToken, 'sessionToken');
  throw new TypeError('Give either an apiKey (svc_key_…) or a sessionToken (svc_st_…), exactly one of them');
}
