import type { AutomationPolicy, AutomationPolicyStatus, PolicyEvaluation } from '@payassent/protocol';
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
} from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type PageQuery } from '../core/pages.ts';
import type { ItemsPage } from './payments.ts';

/** The four limits. All of them must be filled before the user can opt in. */
export interface PolicyThresholds {
  /** The most that one payment may be. */
  single_tx_limit?: string;
  /** The most that all payments together may be, over the whole validity. */
  cumulative_limit?: string;
  /** When the policy holds. */
  validity_window?: { from: string; until: string };
  /** To whom it may pay: Recipients, or addresses with exactly their memo (none means none). */
  allowlist?: readonly ({ recipient_id: string } | { address: string; memo?: string })[];
}

/** A new policy, as a draft. */
export interface PolicyInput extends PolicyThresholds {
  /** Whose wallet pays. */
  connection_id: string;
  /** Only `stellar_testnet` is open. */
  network: 'stellar_testnet';
  /** For example `XLM`. */
  asset: string;
  /** Needed when the asset is not native. */
  issuer?: string;
}

/** A change of thresholds, based on a version. */
export interface PolicyChange extends PolicyThresholds {
  /** The version that the change is based on. */
  version: number;
}

/** Which policies. */
export interface PolicyQuery extends PageQuery {
  /** Only those in this status. */
  status?: AutomationPolicyStatus;
  /** Only those of this connection. */
  connection_id?: string;
}

/** An intent to try out: to a Recipient or to an address. */
export type PolicyTrial = { amount: string } & ({ recipient_id: string } | { to: string });

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
    return this.#api.call(listAutomationPolicies, { query: { ...query } }, options);
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
  optIn(policyId: string, input: { version: number }, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(optInToAutomationPolicy, { params: { id: policyId }, body: input }, options);
  }

  /** Stops a policy for a while. For wallets and admin sessions. */
  pause(policyId: string, options: CallOptions = {}): Promise<AutomationPolicy> {
    return this.#api.call(pauseAutomationPolicy, { params: { id: policyId } }, options);
  }

  /** Lets a paused policy go on. For wallets. */
  resume(policyId: string, input: { version: number }, options: CallOptions = {}): Promise<AutomationPolicy> {
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
