import * as api from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement, type Route } from '../../http/route.ts';
import type { ProjectReader } from '../project-access/reach.ts';
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
import { pausePolicy, revokePolicy } from './stop.ts';
import { policyView } from './view.ts';

interface PolicyCall extends ProjectReader {
  context: Context;
  act: Act;
  params: Readonly<Record<string, string>>;
}

/** The policy of the path, after whatever is over on its connection has been settled. */
async function settledPolicy({ context, act, params, principal, companion }: PolicyCall) {
  const caller = { principal, companion };
  const policyId = params['id'] ?? '';
  const policy = await findPolicy(context.db, act, caller, policyId);
  const changed = await settlePoliciesOf(context.db, act, [policy]);
  // Somebody else may have settled it between the two statements: what was read is old either way.
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
    const place = { after: decodeCursor(query.cursor), limit: query.limit };
    const rows = await listPolicies(context.db, act, { principal, companion }, filter, place);
    const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.policy_id }));
    return { items: page.items.map(policyView), next_cursor: page.nextCursor };
  },
});

const readRoute = implement(api.getAutomationPolicy, {
  screen: screenNames,
  run: async (call) => policyView((await settledPolicy(call)).policy),
});

const changeRoute = implement(api.updateAutomationPolicy, {
  screen: screenNamesAndReferences,
  check: checkPolicyChange,
  async run(call) {
    const { context, act, principal, companion, body } = call;
    refuseEmptyChange(body);
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return answered(await transaction(context.db, (tx) => changePolicy(tx, act, caller, policyId, body)));
  },
});

const optInRoute = implement(api.optInToAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return answered(await transaction(context.db, (tx) => optIn(tx, act, caller, policyId, body.version)));
  },
});

const resumeRoute = implement(api.resumeAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion, body } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    const row = await transaction(context.db, (tx) => resumePolicy(tx, act, caller, policyId, body.version));
    return policyView(row);
  },
});

const pauseRoute = implement(api.pauseAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return policyView(await transaction(context.db, (tx) => pausePolicy(tx, act, caller, policyId)));
  },
});

const revokeRoute = implement(api.revokeAutomationPolicy, {
  screen: screenNames,
  async run(call) {
    const { context, act, principal, companion } = call;
    const { policyId } = await settledPolicy(call);
    const caller = { principal, companion };
    return policyView(await transaction(context.db, (tx) => revokePolicy(tx, act, caller, policyId)));
  },
});

const evaluateRoute = implement(api.evaluateAutomationPolicy, {
  screen: screenOwned('automation_policies'),
  check: checkEvaluateInput,
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
