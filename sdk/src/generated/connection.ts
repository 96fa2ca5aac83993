/*
 * Written from protocol/src/api and protocol/src/records by "npm run generate". Do not edit.
 */
import type { AgentPayment, AgentPaymentHistory, AgentPaymentQuery, AgentPaymentsPage, AutomationPoliciesPage, AutomationPolicy, EvidenceBundle, Payee, PayeeAnswer, PayeeQuery, PayeesPage, PaymentRequest, PaymentRequestQuery, PaymentRequestsPage, PolicyQuery, WithdrawAnswer } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/api.ts';
import { getAgentPaymentEvidence, getAutomationPolicy, getPayee, listAgentPayments, listAutomationPolicies, listEventsOfAgentPayment, listPayees, listPaymentRequests, withdrawPaymentRequest } from '../operations.ts';

/** What `ConnectionAgentPayments` passes on as it is. */
export class ConnectionAgentPaymentsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Read everything that proves the outcome of a payment. The document itself, without an envelope; `verifyEvidence` verifies it. */
  evidence(agentPaymentId: string, options: CallOptions = {}): Promise<EvidenceBundle> {
    return this.#api.call(getAgentPaymentEvidence, { params: { id: agentPaymentId } }, options);
  }

  /** Read a policy with what is used of it. `usage` counts what is paid and what payments under way have reserved. */
  policy(automationPolicyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(getAutomationPolicy, { params: { id: automationPolicyId } }, options);
  }

  /** List payments, newest first: the agent's, the organization's or the wallet's. An API key sees its agent's, a connection token its connection's, an operator the organization's, a wallet those of its connections. */
  list(query: AgentPaymentQuery = {}, options: CallOptions = {}): Promise<AgentPaymentsPage> {
    return this.#api.call(listAgentPayments, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: AgentPaymentQuery = {}, options: CallOptions = {}): AsyncGenerator<AgentPayment, void, undefined> {
    return eachRecord(this.#api, listAgentPayments, 'items', { query }, options);
  }

  /** List policies, newest first: the agent's, the organization's or the wallet's. An API key sees its agent's, a connection token its connection's, an operator the organization's, a wallet those of its connections. */
  policies(query: PolicyQuery = {}, options: CallOptions = {}): Promise<AutomationPoliciesPage> {
    return this.#api.call(listAutomationPolicies, { query }, options);
  }

  /** Read one payment's own history. Every change of its status, oldest first. */
  history(agentPaymentId: string, options: CallOptions = {}): Promise<AgentPaymentHistory> {
    return this.#api.call(listEventsOfAgentPayment, { params: { id: agentPaymentId } }, options);
  }
}

/** The payees that the agent may request payments to. */
export class ConnectionPayees {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Read one payee. A payee that is not active now, or that belongs to another merchant, is absent. */
  get(recipientId: string, options: CallOptions = {}): Promise<PayeeAnswer> {
    return this.#api.call(getPayee, { params: { recipient_id: recipientId } }, options);
  }

  /** List the payees that the agent may request payments to. Every Recipient of the connection's merchant that has an active version on an enabled network, by name. */
  list(query: PayeeQuery = {}, options: CallOptions = {}): Promise<PayeesPage> {
    return this.#api.call(listPayees, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PayeeQuery = {}, options: CallOptions = {}): AsyncGenerator<Payee, void, undefined> {
    return eachRecord(this.#api, listPayees, 'payees', { query }, options);
  }
}

/** What `ConnectionPaymentRequests` passes on as it is. */
export class ConnectionPaymentRequestsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** List payment requests; for a wallet, its inbox. Newest first. */
  list(query: PaymentRequestQuery = {}, options: CallOptions = {}): Promise<PaymentRequestsPage> {
    return this.#api.call(listPaymentRequests, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PaymentRequestQuery = {}, options: CallOptions = {}): AsyncGenerator<PaymentRequest, void, undefined> {
    return eachRecord(this.#api, listPaymentRequests, 'payment_requests', { query }, options);
  }

  /** Take a request back before the customer decides. It expires with the reason `withdrawn_by_agent`. */
  withdraw(paymentRequestId: string, options: CallOptions = {}): Promise<WithdrawAnswer> {
    return this.#api.call(withdrawPaymentRequest, { params: { id: paymentRequestId } }, options);
  }
}
