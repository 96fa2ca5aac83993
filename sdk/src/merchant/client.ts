import { AgentPayments } from '../agent-payments/payments.ts';
import { type Api, createApi } from '../core/api.ts';
import type { RateLimit } from '../core/rate-limits.ts';
import { type ClientOptions, resolveSettings } from '../core/settings.ts';
import { checkedStore, type Store } from '../core/store.ts';
import { AutomationPolicies } from '../generated/agent-payments.ts';
import {
  MerchantAccess,
  MerchantApprovals,
  MerchantAudit,
  MerchantConnections,
  MerchantDeliveries,
  MerchantDomains,
  MerchantOperators,
  MerchantOrganization,
  MerchantPasskeys,
  MerchantPaymentRequests,
  MerchantRecipients,
  MerchantWebhooksCalls,
} from '../generated/merchant.ts';
import { MerchantAgents } from './agents.ts';
import { sessionCredential } from './session-credential.ts';
import { MerchantSessions } from './sessions.ts';

/** Options of a team member's client. */
export interface MerchantClientOptions extends ClientOptions {
  /** A session from an earlier run, as `sessions.cookie()` gave it. Not in browsers, which keep it themselves. */
  sessionCookie?: string;
  /** Keeps the keys of human-initiated agent payments over restarts. */
  store?: Store;
}

/**
 * A merchant's team member: sign-in, organization, domains, payees, agents and webhooks. In a browser it works on the
 * service's origin with the browser's cookie; elsewhere it keeps the cookie itself.
 */
export class MerchantClient {
  /** Registration, sign-in and sign-out. */
  readonly sessions: MerchantSessions;
  /** The organization itself. */
  readonly organization: MerchantOrganization;
  /** The organization's team members. */
  readonly operators: MerchantOperators;
  /** Passkeys of the team member who is signed in. */
  readonly passkeys: MerchantPasskeys;
  /** Changes that need a second owner's approval. */
  readonly approvals: MerchantApprovals;
  /** Domains and their proofs. */
  readonly domains: MerchantDomains;
  /** Payees and their versions. */
  readonly recipients: MerchantRecipients;
  /** Agents and their credentials. */
  readonly agents: MerchantAgents;
  /** Customers that are connected to the organization's agents. */
  readonly connections: MerchantConnections;
  /** The organization's payment requests, read only. */
  readonly paymentRequests: MerchantPaymentRequests;
  /** Webhook endpoints and deliveries. */
  readonly webhooks: MerchantWebhooks;
  /** API keys and admin sessions for the second surface. */
  readonly access: MerchantAccess;
  /** The audit trail: who changed which right or secret. */
  readonly audit: MerchantAudit;
  /** Agent payments of the organization. */
  readonly agentPayments: AgentPayments;
  /** Automation policies of the organization. */
  readonly policies: AutomationPolicies;
  readonly #api: Api;

  /** Nothing is sent before the first call. */
  constructor(options: MerchantClientOptions) {
    const settings = resolveSettings(options);
    const credential = sessionCredential(options.sessionCookie);
    this.#api = createApi(settings, credential);
    this.sessions = new MerchantSessions(this.#api, credential);
    this.organization = new MerchantOrganization(this.#api);
    this.operators = new MerchantOperators(this.#api);
    this.passkeys = new MerchantPasskeys(this.#api);
    this.approvals = new MerchantApprovals(this.#api);
    this.domains = new MerchantDomains(this.#api);
    this.recipients = new MerchantRecipients(this.#api);
    this.agents = new MerchantAgents(this.#api);
    this.connections = new MerchantConnections(this.#api);
    this.paymentRequests = new MerchantPaymentRequests(this.#api);
    this.webhooks = new MerchantWebhooks(this.#api);
    this.access = new MerchantAccess(this.#api);
    this.audit = new MerchantAudit(this.#api);
    this.agentPayments = new AgentPayments(this.#api, checkedStore(options.store));
    this.policies = new AutomationPolicies(this.#api);
  }

  /** The limits that the service reported last. */
  get rateLimits(): RateLimit[] {
    return this.#api.settings.rateLimits.known();
  }
}

/** Webhook endpoints of the organization. */
export class MerchantWebhooks extends MerchantWebhooksCalls {
  /** Deliveries and their attempts. */
  readonly deliveries: MerchantDeliveries;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    super(api);
    this.deliveries = new MerchantDeliveries(api);
  }
}
