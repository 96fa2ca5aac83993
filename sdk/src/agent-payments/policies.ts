import type { ItemsPage } from '../aliases.ts';
import type {
  AutomationPolicy,
  PolicyChange,
  PolicyConsent,
  PolicyEvaluation,
  PolicyInput,
  PolicyQuery,
  PolicyTrial,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import {
  createAutomationPolicy,
  evaluateAutomationPolicy,
  getAutomationPolicy,
  listAutomationPolicies,
  optInToAutomationPolicy,
  pauseAutomationPolicy,
  resumeAutomationPolicy,
  revokeAutomationPolicy,
  updateAutomationPolicy,
} from '../operations.ts';

/** Automation policies. Only the wallet's user can make one active. Every method returns the `data` of the answer. */
export class AutomationPolicies {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a draft. */
  create(input: PolicyInput, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(createAutomationPolicy, { body: input }, options);
  }

  /** Reads one policy with its usage. */
  get(policyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(getAutomationPolicy, { params: { id: policyId } }, options);
  }

  /** One page of what the credential may see. */
  list(query: PolicyQuery = {}, options: CallOptions = {}): Promise<ItemsPage<AutomationPolicy>> {
    return this.#api.call(listAutomationPolicies, { query }, options);
  }

  /** All of them, page by page. */
  each(
    query: PolicyQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<AutomationPolicy, void, undefined> {
    return eachRecord(this.#api, listAutomationPolicies, 'items', { query }, options);
  }

  /**
   * Changes thresholds. By an admin session an active policy becomes a draft again; by the wallet it is consent, with
   * the same `version_conflict` as `optIn` when a payee is not the one that was shown.
   */
  update(policyId: string, change: PolicyChange, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(updateAutomationPolicy, { params: { id: policyId }, body: change }, options);
  }

  /**
   * The user's consent to exactly this version. For wallets. `version_conflict` also when a payee has moved since: then
   * the policy shows the present one (`allowed_payees` of a draft, `proposed_payees` otherwise) under a new version.
   * Read it, show it, ask again.
   */
  optIn(policyId: string, input: PolicyConsent, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(optInToAutomationPolicy, { params: { id: policyId }, body: input }, options);
  }

  /** Stops a policy for a while. For wallets and admin sessions. */
  pause(policyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(pauseAutomationPolicy, { params: { id: policyId } }, options);
  }

  /** Lets a paused policy go on. For wallets. */
  resume(policyId: string, input: PolicyConsent, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(resumeAutomationPolicy, { params: { id: policyId }, body: input }, options);
  }

  /** Revokes for good. For wallets and admin sessions. */
  revoke(policyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(revokeAutomationPolicy, { params: { id: policyId } }, options);
  }

  /** Asks what would happen to an intent, without making one. For API keys. */
  evaluate(policyId: string, trial: PolicyTrial, options: CallOptions = {}): Promise<PolicyEvaluation> {
    return this.#api.call(evaluateAutomationPolicy, { params: { id: policyId }, body: trial }, options);
  }
}
