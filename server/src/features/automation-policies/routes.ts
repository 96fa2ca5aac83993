import { AUTOMATION_POLICY_STATUSES, type ErrorCode } from '@countersign/protocol';
import { AutomationPolicySchema, schema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import type { Act } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { screenNames, screenNamesAndReferences, screenOwned } from '../project-access/screen.ts';
import type { Consent } from './accept.ts';
import { changePolicy } from './change.ts';
import { checkEvaluateInput, checkPolicyChange, checkPolicyInput, refuseEmptyChange } from './checks.ts';
import { optIn, resumePolicy } from './consent.ts';
import { createPolicy } from './create.ts';
import { evaluatePolicy } from './evaluate.ts';
import { isOver, settlePoliciesOf } from './expire.ts';
import { listPolicies } from './list.ts';
import { findPolicy } from './open-policy.ts';
import { EvaluateInput, EvaluationAnswer, PolicyChange, PolicyInput, VersionInput } from './schema.ts';
import { pausePolicy, revokePolicy } from './stop.ts';
import { policyView } from './view.ts';

const TAG = 'Automation policies';
const ON_POLICY: readonly ErrorCode[] = ['resource_not_found', 'phase_0_mainnet_disabled'];
const ON_CHANGE: readonly ErrorCode[] = [
  ...ON_POLICY,
  'version_conflict',
  'connection_revoked',
  'invalid_status_transition',
];

interface PolicyCall extends ProjectCaller {
  context: Context;
  act: Act;
  params: Readonly<Record<string, string>>;
}

/** The policy of the path, after whatever is over on its connection has been settled. */
async function settledPolicy({ context, act, params, principal, companion }: PolicyCall) {
  const caller = { principal, companion };
  const policyId = params['id'] ?? '';
  const policy = await findPolicy(context.db, act, caller, policyId);
  const changed = await settlePoliciesOf(context.db, act, [policy.connection_id]);
  // Somebody else may have settled it between the two statements: what was read is old either way.
  const isOld = changed || isOver(policy, act.now);
  return { policyId, policy: isOld ? await findPolicy(context.db, act, caller, policyId) : policy };
}

function answered(consent: Consent) {
  if (consent.refusal) throw consent.refusal;
  return policyView(consent.policy);
}

/** A policy is changed by the wallet or by the merchant's side; each has its own limit. */
const BY_CALLER = {
  wallet: 'wallet_mutations',
  api_key: 'merchant_mutations',
  admin: 'merchant_mutations',
  merchant: 'merchant_mutations',
} as const;

const createRoute = defineRoute({
  method: 'POST',
  path: '/v1/automation-policies',
  summary: 'Draft a policy; nothing may be paid under it until the user opts in',
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: BY_CALLER,
  body: PolicyInput,
  screen: screenNamesAndReferences,
  check: checkPolicyInput,
  status: 201,
  answer: AutomationPolicySchema,
  errors: [...ON_POLICY, 'connection_revoked', 'limit_reached', 'risk_rejected', 'insufficient_scope'],
  async run({ context, act, principal, companion, body }) {
    const caller = { principal, companion };
    const { openPolicies: cap } = context.config.caps;
    return policyView(await transaction(context.db, (tx) => createPolicy(tx, act, caller, body, cap)));
  },
});

const listRoute = defineRoute({
  method: 'GET',
  path: '/v1/automation-policies',
  summary: "List policies, newest first: the agent's, the organization's or the wallet's",
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: 'reads',
  query: Type.Object({
    ...PAGE_QUERY,
    connection_id: Type.Optional(Type.String({ description: 'Only of this connection.' })),
    status: Type.Optional(schema.oneOf(AUTOMATION_POLICY_STATUSES)),
  }),
  screen: screenNames,
  answer: Type.Object({
    items: Type.Array(AutomationPolicySchema),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
  errors: ['phase_0_mainnet_disabled'],
  async run({ context, act, principal, companion, query }) {
    const filter = { connectionId: query.connection_id, status: query.status };
    const place = { after: decodeCursor(query.cursor), limit: query.limit };
    const rows = await listPolicies(context.db, act, { principal, companion }, filter, place);
    const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.policy_id }));
    return { items: page.items.map(policyView), next_cursor: page.nextCursor };
  },
});

const readRoute = defineRoute({
  method: 'GET',
  path: '/v1/automation-policies/{id}',
  summary: 'Read a policy with what is used of it',
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: 'reads',
  screen: screenNames,
  answer: AutomationPolicySchema,
  errors: ON_POLICY,
  run: async (call) => policyView((await settledPolicy(call)).policy),
});

const changeRoute = defineRoute({
  method: 'PATCH',
  path: '/v1/automation-policies/{id}',
  summary: 'Change thresholds',
  description:
    "By an operator an active or paused policy becomes a draft again and needs the user's new opt-in. By the wallet the change is itself consent, so it accepts only the payees that the policy shows: see opt-in.",
  tag: TAG,
  credential: ['admin', 'merchant', 'wallet'],
  limit: BY_CALLER,
  body: PolicyChange,
  screen: screenNamesAndReferences,
  check: checkPolicyChange,
  answer: AutomationPolicySchema,
  errors: [...ON_CHANGE, 'policy_incomplete', 'recipient_not_active', 'risk_rejected'],
  async run(call) {
    const { context, act, principal, companion, body } = call;
    refuseEmptyChange(body);
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return answered(await transaction(context.db, (tx) => changePolicy(tx, act, caller, policyId, body)));
  },
});

const optInRoute = defineRoute({
  method: 'POST',
  path: '/v1/automation-policies/{id}/opt-in',
  summary: 'Let the agent act within the policy: only the user can',
  description:
    'Needs all four thresholds and the version that the user has seen. When an allowlisted Recipient has another active version than the one shown, the answer is version_conflict and the policy shows the present one under a new version: in allowed_payees of a draft, in proposed_payees otherwise.',
  tag: TAG,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: VersionInput,
  screen: screenNames,
  answer: AutomationPolicySchema,
  errors: [...ON_CHANGE, 'policy_incomplete', 'policy_conflict', 'recipient_not_active'],
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return answered(await transaction(context.db, (tx) => optIn(tx, act, caller, policyId, body.version)));
  },
});

const resumeRoute = defineRoute({
  method: 'POST',
  path: '/v1/automation-policies/{id}/resume',
  summary: 'Let a paused policy go on: only the user can',
  tag: TAG,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: VersionInput,
  screen: screenNames,
  answer: AutomationPolicySchema,
  errors: [...ON_CHANGE, 'policy_incomplete', 'policy_conflict'],
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    const row = await transaction(context.db, (tx) => resumePolicy(tx, act, caller, policyId, body.version));
    return policyView(row);
  },
});

const pauseRoute = defineRoute({
  method: 'POST',
  path: '/v1/automation-policies/{id}/pause',
  summary: 'Pause a policy',
  tag: TAG,
  credential: ['wallet', 'admin', 'merchant'],
  limit: BY_CALLER,
  screen: screenNames,
  answer: AutomationPolicySchema,
  errors: [...ON_POLICY, 'connection_revoked', 'invalid_status_transition'],
  async run(call) {
    const { context, act, principal, companion } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return policyView(await transaction(context.db, (tx) => pausePolicy(tx, act, caller, policyId)));
  },
});

const revokeRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/automation-policies/{id}',
  summary: 'Revoke a policy for good',
  tag: TAG,
  credential: ['wallet', 'admin', 'merchant'],
  limit: BY_CALLER,
  screen: screenNames,
  answer: AutomationPolicySchema,
  errors: ON_POLICY,
  async run(call) {
    const { context, act, principal, companion } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return policyView(await transaction(context.db, (tx) => revokePolicy(tx, act, caller, policyId)));
  },
});

const evaluateRoute = defineRoute({
  method: 'POST',
  path: '/v1/automation-policies/{id}/evaluate',
  summary: 'Ask what the policy would say to a payment, without making one',
  tag: TAG,
  credential: ['api_key'],
  limit: 'reads',
  body: EvaluateInput,
  screen: screenOwned('automation_policies'),
  check: checkEvaluateInput,
  answer: EvaluationAnswer,
  errors: [...ON_POLICY, 'recipient_not_active', 'connection_paused', 'insufficient_scope'],
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await settledPolicy(call);
    return { ...(await evaluatePolicy(context.db, act, { principal, companion }, policyId, body)) };
  },
});

export const policyRoutes: readonly Route[] = [
  createRoute,
  listRoute,
  readRoute,
  changeRoute,
  optInRoute,
  pauseRoute,
  resumeRoute,
  revokeRoute,
  evaluateRoute,
];
