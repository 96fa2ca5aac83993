/*
 * Written from protocol/src/api and protocol/src/records by "npm run generate". Do not edit.
 */
import type { AgentPayment, AgentPaymentHistory, AgentPaymentQuery, AgentPaymentReport, AgentPaymentsPage, AutomationPoliciesPage, AutomationPolicy, EvidenceBundle, PolicyChange, PolicyConsent, PolicyEvaluation, PolicyInput, PolicyQuery, PolicyTrial } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/api.ts';
import { cancelAgentPayment, createAutomationPolicy, evaluateAutomationPolicy, getAgentPaymentEvidence, getAutomationPolicy, listAgentPayments, listAutomationPolicies, listEventsOfAgentPayment, optInToAutomationPolicy, pauseAutomationPolicy, reportAgentPaymentStatus, resumeAutomationPolicy, revokeAutomationPolicy, updateAutomationPolicy } from '../operations.ts';

/** What `AgentPayments` passes on as it is. */
export class AgentPaymentsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Take an intent back before the wallet has decided. What the payment had reserved of its policy is free again. */
  cancel(agentPaymentId: string, options: CallOptions = {}): Promise<AgentPayment> {
    return this.#api.call(cancelAgentPayment, { params: { id: agentPaymentId } }, options);
  }

  /** Read everything that proves the outcome of a payment. The document itself, without an envelope; `verifyEvidence` verifies it. */
  evidence(agentPaymentId: string, options: CallOptions = {}): Promise<EvidenceBundle> {
    return this.#api.call(getAgentPaymentEvidence, { params: { id: agentPaymentId } }, options);
  }

  /** List payments, newest first: the agent's, the organization's or the wallet's. An API key sees its agent's, a connection token its connection's, an operator the organization's, a wallet those of its connections. */
  list(query: AgentPaymentQuery = {}, options: CallOptions = {}): Promise<AgentPaymentsPage> {
    return this.#api.call(listAgentPayments, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: AgentPaymentQuery = {}, options: CallOptions = {}): AsyncGenerator<AgentPayment, void, undefined> {
    return eachRecord(this.#api, listAgentPayments, 'items', { query }, options);
  }

  /** Read one payment's own history. Every change of its status, oldest first. */
  history(agentPaymentId: string, options: CallOptions = {}): Promise<AgentPaymentHistory> {
    return this.#api.call(listEventsOfAgentPayment, { params: { id: agentPaymentId } }, options);
  }

  /** Report what the wallet did with a payment. A wallet broadcasts only after a successful response to its report of signed. */
  reportStatus(agentPaymentId: string, input: AgentPaymentReport, options: CallOptions = {}): Promise<AgentPayment> {
    return this.#api.call(reportAgentPaymentStatus, { params: { id: agentPaymentId }, body: input }, options);
  }
}

/** Automation policies. Only the customer can make one active. Every method returns the `data` of the response. */
export class AutomationPolicies {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Draft a policy; nothing may be paid under it until the customer opts in. A draft may leave thresholds open; the opt-in needs all four. */
  create(input: PolicyInput, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(createAutomationPolicy, { body: input }, options);
  }

  /** Check a payment against the policy, without making one. Nothing is created and nothing is reserved. */
  evaluate(automationPolicyId: string, input: PolicyTrial, options: CallOptions = {}): Promise<PolicyEvaluation> {
    return this.#api.call(evaluateAutomationPolicy, { params: { id: automationPolicyId }, body: input }, options);
  }

  /** Read a policy with what is used of it. `usage` counts what is paid and what payments under way have reserved. */
  get(automationPolicyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(getAutomationPolicy, { params: { id: automationPolicyId } }, options);
  }

  /** List policies, newest first: the agent's, the organization's or the wallet's. An API key sees its agent's, a connection token its connection's, an operator the organization's, a wallet those of its connections. */
  list(query: PolicyQuery = {}, options: CallOptions = {}): Promise<AutomationPoliciesPage> {
    return this.#api.call(listAutomationPolicies, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PolicyQuery = {}, options: CallOptions = {}): AsyncGenerator<AutomationPolicy, void, undefined> {
    return eachRecord(this.#api, listAutomationPolicies, 'items', { query }, options);
  }

  /** Let the agent act within the policy: only the customer can. Needs all four thresholds and the version that the customer has seen. */
  optIn(automationPolicyId: string, input: PolicyConsent, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(optInToAutomationPolicy, { params: { id: automationPolicyId }, body: input }, options);
  }

  /** Pause a policy. The agent can make no payment under it until the customer resumes it. */
  pause(automationPolicyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(pauseAutomationPolicy, { params: { id: automationPolicyId } }, options);
  }

  /** Resume a paused policy: only the customer can. Needs the version that the customer has seen. */
  resume(automationPolicyId: string, input: PolicyConsent, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(resumeAutomationPolicy, { params: { id: automationPolicyId }, body: input }, options);
  }

  /** Revoke a policy for good. Final. */
  revoke(automationPolicyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(revokeAutomationPolicy, { params: { id: automationPolicyId } }, options);
  }

  /** Change thresholds. By an operator an active or paused policy becomes a draft again and needs a new opt-in. */
  update(automationPolicyId: string, input: PolicyChange, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(updateAutomationPolicy, { params: { id: automationPolicyId }, body: input }, options);
  }
}
