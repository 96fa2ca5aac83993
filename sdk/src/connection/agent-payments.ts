import { paymentEvents } from '../agent-payments/events.ts';
import {
  type AgentPaymentSettlementWait,
  type AgentPaymentWait,
  readAgentPayment,
  waitForPayment,
  waitForPaymentSettlement,
} from '../agent-payments/wait-for-status.ts';
import type { EventsQuery, ItemsPage } from '../aliases.ts';
import type {
  AgentPayment,
  AgentPaymentEvent,
  AgentPaymentEventsPage,
  AgentPaymentHistory,
  AgentPaymentQuery,
  AutomationPolicy,
  EvidenceBundle,
  PolicyQuery,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import type { Store } from '../core/store.ts';
import {
  getAgentPaymentEvidence,
  getAutomationPolicy,
  listAgentPayments,
  listAutomationPolicies,
  listEventsOfAgentPayment,
} from '../operations.ts';
import type { EventsOptions } from './event-reader.ts';
import { storedCursor } from './stored-cursor.ts';

/** What a connected agent sees of its agent payments and policies. They are created with an API key. */
export class ConnectionAgentPayments {
  readonly #api: Api;
  readonly #connectionId: string | undefined;
  readonly #store: Store | undefined;

  /** Made by `ConnectionClient`. */
  constructor(api: Api, connectionId: string | undefined, store: Store | undefined) {
    this.#api = api;
    this.#connectionId = connectionId;
    this.#store = store;
  }

  /** Reads one payment with its authoritative status. */
  get(paymentId: string, options: CallOptions = {}): Promise<AgentPayment> {
    return readAgentPayment(this.#api, paymentId, {}, options);
  }

  /** One page of the connection's payments. */
  list(query: AgentPaymentQuery = {}, options: CallOptions = {}): Promise<ItemsPage<AgentPayment>> {
    return this.#api.call(listAgentPayments, { query }, options);
  }

  /** Everything that proves what became of a payment, for `payassent verify` and for keeping. */
  evidence(paymentId: string, options: CallOptions = {}): Promise<EvidenceBundle> {
    return this.#api.call(getAgentPaymentEvidence, { params: { id: paymentId } }, options);
  }

  /** What became of one payment, step by step, oldest first. */
  history(paymentId: string, options: CallOptions = {}): Promise<AgentPaymentHistory> {
    return this.#api.call(listEventsOfAgentPayment, { params: { id: paymentId } }, options);
  }

  /** One page of status events after `since`. */
  listEvents(query: EventsQuery = {}, options: CallOptions = {}): Promise<AgentPaymentEventsPage> {
    return paymentEvents.read(this.#api, query, options);
  }

  /** Status events as they happen, without end: as those of payment requests, in a sequence of their own. */
  events(options: EventsOptions = {}): AsyncGenerator<AgentPaymentEvent, void, undefined> {
    const { cursor } = options;
    // The same name means another place than among payment requests.
    const named = cursor === undefined ? options : { ...options, cursor: `agent_payment ${cursor}` };
    return paymentEvents.follow(this.#api, options, storedCursor(named, this.#store, this.#connectionId));
  }

  /**
   * Waits until the payment has reached one of `statuses` (a final one unless stated), or can no longer reach any of
   * them, or the wallet has signed and then been silent. Look at `status` of what it returns: a rejection is an answer, not an error.
   */
  waitForStatus(paymentId: string, options: AgentPaymentWait = {}): Promise<AgentPayment> {
    return waitForPayment(this.#api, paymentId, options);
  }

  /**
   * Waits until the chain has said its last word about the payment (`final`, `mismatch` or `failed_on_chain`, or one of
   * `states`), or the payment has ended without a transaction. At most five minutes unless stated; then
   * `WaitTimeoutError`, also where the service does not look at the network: `settlement` stays null there.
   */
  waitForSettlement(paymentId: string, options: AgentPaymentSettlementWait = {}): Promise<AgentPayment> {
    return waitForPaymentSettlement(this.#api, paymentId, options);
  }

  /** Reads one policy with what is used of it. */
  policy(policyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(getAutomationPolicy, { params: { id: policyId } }, options);
  }

  /** One page of the connection's policies. */
  policies(query: PolicyQuery = {}, options: CallOptions = {}): Promise<ItemsPage<AutomationPolicy>> {
    return this.#api.call(listAutomationPolicies, { query }, options);
  }
}
