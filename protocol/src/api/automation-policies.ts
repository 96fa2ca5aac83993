import { AUTOMATION_POLICY_STATUSES } from '../enumerations.ts';
import type { ErrorCode } from '../errors.ts';
import { AutomationPolicySchema, PolicyEvaluationSchema } from '../records/agent-payment.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { AMOUNT, ASSET, CLOSED, CONNECTION_CHOICE, input, NETWORK, reference, VERSION } from './members.ts';
import { operations } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({
  tag: 'Automation policies',
  credential: ['connection', 'api_key', 'admin', 'merchant', 'wallet'],
});

const ON_POLICY: readonly ErrorCode[] = ['resource_not_found', 'phase_0_mainnet_disabled'];

const MAX_ALLOWLIST = 100;

const thresholds = {
  single_tx_limit: Type.Optional(Type.String({ description: 'The most that one payment may be.' })),
  cumulative_limit: Type.Optional(
    Type.String({ description: 'The most that all payments under the policy may be together.' }),
  ),
  validity_window: Type.Optional(
    Type.Object(
      {
        from: Type.String({ format: 'date-time', description: 'The first instant.' }),
        until: Type.String({ format: 'date-time', description: 'The first instant after it.' }),
      },
      { ...CLOSED, title: 'ValidityWindow', description: 'When the policy holds.' },
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
                'With an address: covers payments with exactly this memo. Without it, those without one.',
            }),
          ),
        },
        { ...CLOSED, title: 'AllowlistInput', description: 'One payee.' },
      ),
      {
        maxItems: MAX_ALLOWLIST,
        description: 'Who may be paid; each entry names a Recipient or an address.',
      },
    ),
  ),
};

const ON_CHANGE: readonly ErrorCode[] = [
  ...ON_POLICY,
  'version_conflict',
  'connection_revoked',
  'invalid_status_transition',
];

const PolicyConsent = input('PolicyConsent', 'The version that the customer consents to.', {
  version: Type.Integer({ description: 'The version that the customer has seen.' }),
});

export const createAutomationPolicy = operation('createAutomationPolicy', 'POST /v1/automation-policies', {
  sdk: 'AutomationPolicies.create',
  summary: 'Draft a policy; nothing may be paid under it until the customer opts in',
  description: 'A draft may leave thresholds open; the opt-in needs all four.',
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  body: input('PolicyInput', 'A new policy, as a draft.', {
    connection_id: reference('The connection whose agent may act.'),
    network: NETWORK,
    asset: ASSET,
    issuer: Type.Optional(reference('Required when the asset is not the native one.')),
    ...thresholds,
  }),
  status: 201,
  answer: AutomationPolicySchema,
  errors: [...ON_POLICY, 'connection_revoked', 'limit_reached', 'risk_rejected', 'insufficient_scope'],
  example: {
    connection_id: 'con_01JC8Z6S410000000000000000',
    network: 'stellar_testnet',
    asset: 'XLM',
    single_tx_limit: '10',
    cumulative_limit: '100',
  },
});

export const listAutomationPolicies = operation('listAutomationPolicies', 'GET /v1/automation-policies', {
  sdk: ['AutomationPolicies.list', 'ConnectionAgentPayments.policies'],
  summary: "List policies, newest first: the agent's, the organization's or the wallet's",
  description:
    "An API key sees its agent's, a connection token its connection's, an operator the organization's, a wallet those of its connections.",
  scope: 'payment.requests.read',
  query: record('PolicyQuery', 'Which policies.', {
    ...PAGE_QUERY,
    connection_id: CONNECTION_CHOICE,
    status: Type.Optional(oneOf(AUTOMATION_POLICY_STATUSES, 'Only those in this status.')),
  }),
  answer: pageOf('AutomationPoliciesPage', 'items', AutomationPolicySchema),
  errors: ['phase_0_mainnet_disabled'],
});

export const getAutomationPolicy = operation('getAutomationPolicy', 'GET /v1/automation-policies/{id}', {
  sdk: ['AutomationPolicies.get', 'ConnectionAgentPayments.policy'],
  summary: 'Read a policy with what is used of it',
  description: '`usage` counts what is paid and what payments under way have reserved.',
  scope: 'payment.requests.read',
  answer: AutomationPolicySchema,
  errors: ON_POLICY,
});

export const updateAutomationPolicy = operation(
  'updateAutomationPolicy',
  'PATCH /v1/automation-policies/{id}',
  {
    sdk: 'AutomationPolicies.update',
    summary: 'Change thresholds',
    description:
      'By an operator an active or paused policy becomes a draft again and needs a new opt-in. By the wallet the change is itself consent, to the payees that the policy shows: see opt-in.',
    credential: ['admin', 'merchant', 'wallet'],
    body: input('PolicyChange', 'Other thresholds for a policy.', { ...thresholds, version: VERSION }),
    answer: AutomationPolicySchema,
    errors: [...ON_CHANGE, 'policy_incomplete', 'recipient_not_active', 'risk_rejected'],
    example: { single_tx_limit: '5', version: 1 },
  },
);

export const optInToAutomationPolicy = operation(
  'optInToAutomationPolicy',
  'POST /v1/automation-policies/{id}/opt-in',
  {
    sdk: 'AutomationPolicies.optIn',
    summary: 'Let the agent act within the policy: only the customer can',
    description:
      'Needs all four thresholds and the version that the customer has seen. When another version of an allowlisted Recipient is active by now, the call fails with version_conflict and the policy shows that version: in allowed_payees of a draft, in proposed_payees otherwise.',
    credential: ['wallet'],
    body: PolicyConsent,
    answer: AutomationPolicySchema,
    errors: [...ON_CHANGE, 'policy_incomplete', 'policy_conflict', 'recipient_not_active'],
  },
);

export const resumeAutomationPolicy = operation(
  'resumeAutomationPolicy',
  'POST /v1/automation-policies/{id}/resume',
  {
    sdk: 'AutomationPolicies.resume',
    summary: 'Resume a paused policy: only the customer can',
    description: 'Needs the version that the customer has seen.',
    credential: ['wallet'],
    body: PolicyConsent,
    answer: AutomationPolicySchema,
    errors: [...ON_CHANGE, 'policy_incomplete', 'policy_conflict'],
  },
);

export const pauseAutomationPolicy = operation(
  'pauseAutomationPolicy',
  'POST /v1/automation-policies/{id}/pause',
  {
    sdk: 'AutomationPolicies.pause',
    summary: 'Pause a policy',
    description: 'The agent can make no payment under it until the customer resumes it.',
    credential: ['wallet', 'admin', 'merchant'],
    answer: AutomationPolicySchema,
    errors: [...ON_POLICY, 'connection_revoked', 'invalid_status_transition'],
  },
);

export const revokeAutomationPolicy = operation(
  'revokeAutomationPolicy',
  'DELETE /v1/automation-policies/{id}',
  {
    sdk: 'AutomationPolicies.revoke',
    summary: 'Revoke a policy for good',
    description: 'Final. Payments that were created before stay as they are.',
    credential: ['wallet', 'admin', 'merchant'],
    answer: AutomationPolicySchema,
    errors: ON_POLICY,
  },
);

export const evaluateAutomationPolicy = operation(
  'evaluateAutomationPolicy',
  'POST /v1/automation-policies/{id}/evaluate',
  {
    sdk: 'AutomationPolicies.evaluate',
    summary: 'Check a payment against the policy, without making one',
    description: 'Nothing is created and nothing is reserved. For the agent that would pay.',
    credential: ['api_key'],
    limit: 'reads',
    changesNothing: true,
    body: input('PolicyTrial', 'An intended payment to try out: to a Recipient or to an address.', {
      amount: AMOUNT,
      to: Type.Optional(reference('A destination address.')),
      recipient_id: Type.Optional(reference('A Recipient, instead of an address.')),
    }),
    answer: PolicyEvaluationSchema,
    errors: [...ON_POLICY, 'recipient_not_active', 'connection_paused', 'insufficient_scope'],
    example: { amount: '7.50', recipient_id: 'rcp_01JC8Z6S410000000000000000' },
  },
);
