import type { PolicyEvaluation } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Sql } from '../../db/open.ts';
import { AppError, refuseWhenInvalid } from '../../errors.ts';
import { readConnection } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { mismatchIssues, resolveDestination } from './destination.ts';
import { findPolicy } from './open-policy.ts';
import type { EvaluateInput } from './schema.ts';
import { judgePayment } from './verdict.ts';

/** A dry run: the verdict that creating this payment would meet now, and nothing stored. */
export async function evaluatePolicy(
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
