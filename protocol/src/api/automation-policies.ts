import { Type } from 'typebox';
import { AUTOMATION_POLICY_STATUSES } from '../enumerations.ts';
import type { ErrorCode } from '../errors.ts';
import { AutomationPolicySchema, PolicyEvaluationSchema } from '../records/agent-payment.ts';
import * as schema from '../records/schema.ts';
import { AMOUNT, ASSET, CLOSED, CONNECTION_CHOICE, NETWORK, reference } from './members.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

/** A policy is changed by the wallet or by the merchant's side; each has its own limit. */
const BY_CALLER = {
  wallet: 'wallet_mutations',
  api_key: 'merchant_mutations',
  admin: 'merchant_mutations',
  merchant: 'merchant_mutations',
} as const;

const ON_POLICY: readonly ErrorCode[] = ['resource_not_found', 'phase_0_mainnet_disabled'];

const MAX_ALLOWLIST = 100;

const thresholds = {
  single_tx_limit: Type.Optional(Type.String({ description: 'Most that one payment may have.' })),
  cumulative_limit: Type.Optional(
    Type.String({ description: 'Most that all payments under the policy may have together.' }),
  ),
  validity_window: Type.Optional(
    Type.Object(
      {
        from: Type.String({ format: 'date-time', description: 'The first instant.' }),
        until: Type.String({ format: 'date-time', description: 'The first instant after it.' }),
      },
      CLOSED,
    ),
  ),
  allowlist: Type.Optional(
    Type.Array(
      Type.Object(
        {
          recipient_id: Type.Optional(reference('A Recipient.')),
          address: Type.Optional(reference('An address.')),
          memo: Type.Optional(
            Type.String({
              maxLength: 160,
              description:
                'Beside an address: covers payments with exactly this memo. Without it, those without one.',
            }),
          ),
        },
        CLOSED,
      ),
      {
        maxItems: MAX_ALLOWLIST,
        description: 'Who may be paid; each entry names a Recipient or an address.',
      },
    ),
  ),
};

const PolicyInput = Type.Object(
  {
    connection_id: reference('The connection whose agent may act.'),
    network: NETWORK,
    asset: ASSET,
    issuer: Type.Optional(reference('Required when the asset is not the native one.')),
    ...thresholds,
  },
  CLOSED,
);

const TAG = 'Automation policies';

const ON_CHANGE: readonly ErrorCode[] = [
  ...ON_POLICY,
  'version_conflict',
  'connection_revoked',
  'invalid_status_transition',
];

/** Any whole number: one that is not the current version is a conflict, not a fault of form. */
const version = Type.Integer({ description: 'The version that the caller has seen.' });

const PolicyChange = Type.Object({ ...thresholds, version }, CLOSED);

const VersionInput = Type.Object({ version }, CLOSED);

const EvaluateInput = Type.Object(
  {
    amount: AMOUNT,
    to: Type.Optional(reference('A destination address.')),
    recipient_id: Type.Optional(reference('A Recipient, instead of an address.')),
  },
  CLOSED,
);

const EvaluationAnswer = PolicyEvaluationSchema;

export const createAutomationPolicy = operation({
  id: 'createAutomationPolicy',
  method: 'POST',
  path: '/v1/automation-policies',
  summary: 'Draft a policy; nothing may be paid under it until the user opts in',
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: BY_CALLER,
  body: PolicyInput,
  status: 201,
  answer: AutomationPolicySchema,
  errors: [...ON_POLICY, 'connection_revoked', 'limit_reached', 'risk_rejected', 'insufficient_scope'],
});

export const listAutomationPolicies = operation({
  id: 'listAutomationPolicies',
  method: 'GET',
  path: '/v1/automation-policies',
  summary: "List policies, newest first: the agent's, the organization's or the wallet's",
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: 'reads',
  query: Type.Object({
    ...PAGE_QUERY,
    connection_id: CONNECTION_CHOICE,
    status: Type.Optional(schema.oneOf(AUTOMATION_POLICY_STATUSES)),
  }),
  answer: pageOf('items', AutomationPolicySchema),
  errors: ['phase_0_mainnet_disabled'],
});

export const getAutomationPolicy = operation({
  id: 'getAutomationPolicy',
  method: 'GET',
  path: '/v1/automation-policies/{id}',
  summary: 'Read a policy with what is used of it',
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: 'reads',
  answer: AutomationPolicySchema,
  errors: ON_POLICY,
});

export const updateAutomationPolicy = operation({
  id: 'updateAutomationPolicy',
  method: 'PATCH',
  path: '/v1/automation-policies/{id}',
  summary: 'Change thresholds',
  description:
    "By an operator an active or paused policy becomes a draft again and needs the user's new opt-in. By the wallet the change is itself consent, so it accepts only the payees that the policy shows: see opt-in.",
  tag: TAG,
  credential: ['admin', 'merchant', 'wallet'],
  limit: BY_CALLER,
  body: PolicyChange,
  answer: AutomationPolicySchema,
  errors: [...ON_CHANGE, 'policy_incomplete', 'recipient_not_active', 'risk_rejected'],
});

export const optInToAutomationPolicy = operation({
  id: 'optInToAutomationPolicy',
  method: 'POST',
  path: '/v1/automation-policies/{id}/opt-in',
  summary: 'Let the agent act within the policy: only the user can',
  description:
    'Needs all four thresholds and the version that the user has seen. When an allowlisted Recipient has another active version than the one shown, the answer is version_conflict and the policy shows the present one under a new version: in allowed_payees of a draft, in proposed_payees otherwise.',
  tag: TAG,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: VersionInput,
  answer: AutomationPolicySchema,
  errors: [...ON_CHANGE, 'policy_incomplete', 'policy_conflict', 'recipient_not_active'],
});

export const resumeAutomationPolicy = operation({
  id: 'resumeAutomationPolicy',
  method: 'POST',
  path: '/v1/automation-policies/{id}/resume',
  summary: 'Let a paused policy go on: only the user can',
  tag: TAG,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: VersionInput,
  answer: AutomationPolicySchema,
  errors: [...ON_CHANGE, 'policy_incomplete', 'policy_conflict'],
});

export const pauseAutomationPolicy = operation({
  id: 'pauseAutomationPolicy',
  method: 'POST',
  path: '/v1/automation-policies/{id}/pause',
  summary: 'Pause a policy',
  tag: TAG,
  credential: ['wallet', 'admin', 'merchant'],
  limit: BY_CALLER,
  answer: AutomationPolicySchema,
  errors: [...ON_POLICY, 'connection_revoked', 'invalid_status_transition'],
});

export const revokeAutomationPolicy = operation({
  id: 'revokeAutomationPolicy',
  method: 'DELETE',
  path: '/v1/automation-policies/{id}',
  summary: 'Revoke a policy for good',
  tag: TAG,
  credential: ['wallet', 'admin', 'merchant'],
  limit: BY_CALLER,
  answer: AutomationPolicySchema,
  errors: ON_POLICY,
});

export const evaluateAutomationPolicy = operation({
  id: 'evaluateAutomationPolicy',
  method: 'POST',
  path: '/v1/automation-policies/{id}/evaluate',
  summary: 'Ask what the policy would say to a payment, without making one',
  tag: TAG,
  credential: ['api_key'],
  limit: 'reads',
  body: EvaluateInput,
  answer: EvaluationAnswer,
  errors: [...ON_POLICY, 'recipient_not_active', 'connection_paused', 'insufficient_scope'],
});
