// What an agent may pay alone: drafted by any party, allowed by the customer, limited by exact amounts. Agent payments
// import `judge`, `destination`, `open-policy`, `checks` and `usage`; connections import `list` and `stop`. Consent
// covers the payees and limits of the version that the customer saw, and nothing beyond the cumulative limit is
// reserved.

import * as api from '@payassent/protocol/api';
import type { PolicyEvaluation } from '@payassent/protocol/records';
import { type Act, createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Sql, transaction } from '../../db/open.ts';
import { AppError, refuseWhenInvalid } from '../../errors.ts';
import { implement, type Route } from '../../http/route.ts';
import type { Job } from '../../jobs/job.ts';
import type { Feature } from '../feature.ts';
import { readPage } from '../page.ts';
import { readConnection } from '../project-access/connection.ts';
import type { ProjectCaller, ProjectReader } from '../project-access/reach.ts';
import { screenNames, screenNamesAndReferences, screenOwned } from '../project-access/screen.ts';
import { type Consent, changePolicy, createPolicy, optIn, resumePolicy } from './change.ts';
import {
  checkEvaluateInput,
  checkPolicyChange,
  checkPolicyInput,
  type EvaluateInput,
  refuseEmptyChange,
} from './checks.ts';
import { mismatchIssues, resolveDestination } from './destination.ts';
import { judgePayment } from './judge.ts';
import { listPolicies } from './list.ts';
import { findPolicy } from './open-policy.ts';
import { expirePoliciesOf, expirePoliciesOfAll, isOver, pausePolicy, revokePolicy } from './stop.ts';
import { policyView } from './view.ts';

export const automationPoliciesFeature = (): Feature => ({
  name: 'automation-policies',
  routes: policyRoutes,
  jobs: [policyExpiryJob],
});

interface PolicyCall extends ProjectReader {
  context: Context;
  act: Act;
  params: Readonly<Record<string, string>>;
}

/** The policy of the path, after recording the end of any that are over on its connection. */
async function currentPolicy({ context, act, params, principal, companion }: PolicyCall) {
  const caller = { principal, companion };
  const policyId = params['id'] ?? '';
  const policy = await findPolicy(context.db, act, caller, policyId);
  const changed = await expirePoliciesOf(context.db, act, [policy]);
  // Another process may have recorded it between the two statements: the row is stale either way.
  const isOld = changed || isOver(policy, act.now);
  return { policyId, policy: isOld ? await findPolicy(context.db, act, caller, policyId) : policy };
}

function answered(consent: Consent) {
  if (consent.refusal) throw consent.refusal;
  return policyView(consent.policy);
}

const createRoute = implement(api.createAutomationPolicy, {
  screen: screenNamesAndReferences,
  check: checkPolicyInput,
  async run({ context, act, principal, companion, body }) {
    const caller = { principal, companion };
    const { openPolicies: cap } = context.config.caps;
    return policyView(await transaction(context.db, (tx) => createPolicy(tx, act, caller, body, cap)));
  },
});

const listRoute = implement(api.listAutomationPolicies, {
  screen: screenNames,
  async run({ context, act, principal, companion, query }) {
    const filter = { connectionId: query.connection_id, status: query.status };
    const { items, next_cursor } = await readPage(query, 'policy_id', (page) =>
      listPolicies(context.db, act, { principal, companion }, filter, page),
    );
    return { items: items.map(policyView), next_cursor };
  },
});

const readRoute = implement(api.getAutomationPolicy, {
  screen: screenNames,
  run: async (call) => policyView((await currentPolicy(call)).policy),
});

const changeRoute = implement(api.updateAutomationPolicy, {
  screen: screenNamesAndReferences,
  check: checkPolicyChange,
  async run(call) {
    const { context, act, principal, companion, body } = call;
    refuseEmptyChange(body);
    const { policyId } = await currentPolicy(call);
    const caller = { principal, companion };
    return answered(await transaction(context.db, (tx) => changePolicy(tx, act, caller, policyId, body)));
  },
});

const optInRoute = implement(api.optInToAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await currentPolicy(call);
    const caller = { principal, companion };
    return answered(await transaction(context.db, (tx) => optIn(tx, act, caller, policyId, body.version)));
  },
});

const resumeRoute = implement(api.resumeAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await currentPolicy(call);
    const caller = { principal, companion };
    const row = await transaction(context.db, (tx) => resumePolicy(tx, act, caller, policyId, body.version));
    return policyView(row);
  },
});

const pauseRoute = implement(api.pauseAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion } = call;
    const { policyId } = await currentPolicy(call);
    const caller = { principal, companion };
    return policyView(await transaction(context.db, (tx) => pausePolicy(tx, act, caller, policyId)));
  },
});

const revokeRoute = implement(api.revokeAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion } = call;
    const { policyId } = await currentPolicy(call);
    const caller = { principal, companion };
    return policyView(await transaction(context.db, (tx) => revokePolicy(tx, act, caller, policyId)));
  },
});

const evaluateRoute = implement(api.evaluateAutomationPolicy, {
  screen: screenOwned('automation_policies'),
  check: checkEvaluateInput,
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await currentPolicy(call);
    return { ...(await evaluatePolicy(context.db, act, { principal, companion }, policyId, body)) };
  },
});

const policyRoutes: readonly Route[] = [
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

/** A dry run: the verdict that creating this payment would get now, without storing anything. */
async function evaluatePolicy(
  sql: Sql,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
  input: EvaluateInput,
): Promise<PolicyEvaluation> {
  const policy = await findPolicy(sql, act, caller, policyId);
  const connection = await readConnection(sql, caller, policy.connection_id);
  if (connection.status === 'paused') throw new AppError('connection_paused');
  const { merchant_id: merchantId, asset } = policy;
  const { to, recipient_id, amount } = input;
  const blamed = recipient_id === undefined ? 'to' : 'recipient_id';
  const fields = { network: blamed, asset: blamed };
  const destination = await resolveDestination(sql, merchantId, { asset, to, recipient_id, fields });
  refuseWhenInvalid(mismatchIssues(destination.facts, policy, fields));
  const judgement = judgePayment(policy, destination, amount, act.now);
  return {
    id: policy.policy_id,
    status: policy.status,
    verdict: judgement.verdict,
    triggered_thresholds: judgement.triggered,
    remaining: judgement.remaining,
    max_amount_allowed: judgement.maxAmountAllowed,
  };
}

/** Expires the policies that no call has touched. */
const policyExpiryJob: Job = {
  name: 'automation-policy-expiry',
  everyMs: 1000,
  async run(context) {
    const more = await expirePoliciesOfAll(context.db, createAct(context, 'job_automation_policy_expiry'));
    return more && !context.stopping.aborted;
  },
};
