import { type AutomationPolicyStatus, allowedNext, type Mover } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import { holdWallet } from '../callers/device-token.ts';
import { holdConnection, type ProjectConnection } from '../project-access/connection.ts';
import {
  type ProjectCaller,
  type ProjectReader,
  reachOf,
  refuseForeignKey,
} from '../project-access/reach.ts';
import { lockPolicy, selectPolicy } from './sql.ts';
import type { PolicyRow } from './view.ts';

/** The policy if it is within the caller's reach. */
export async function findPolicy(
  sql: Sql,
  act: Act,
  caller: ProjectReader,
  policyId: string,
): Promise<PolicyRow> {
  const policy = await selectPolicy(sql, reachOf(caller), policyId, act.now);
  if (!policy) throw notFound();
  refuseForeignKey(caller, policy.merchant_id);
  return policy;
}

/**
 * Locks what a change of a policy rests on, in the order of the house: wallet, connection, policy. What is answered was
 * read under these locks.
 */
export async function openPolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
): Promise<{ policy: PolicyRow; connection: ProjectConnection }> {
  if (caller.principal.kind === 'wallet') await holdWallet(tx, caller.principal);
  const seen = await findPolicy(tx, act, caller, policyId);
  const connection = await holdConnection(tx, caller, seen.connection_id, 'policy');
  await lockPolicy(tx, seen.merchant_id, policyId);
  return { policy: await findPolicy(tx, act, caller, policyId), connection };
}

export function moverOf({ principal }: ProjectCaller): Mover {
  if (principal.kind === 'wallet') return 'wallet';
  return principal.kind === 'api_key' ? 'agent' : 'merchant';
}

export function impossible(
  policy: Pick<PolicyRow, 'status'>,
  to: AutomationPolicyStatus,
  caller: ProjectCaller,
): AppError {
  const { status: from } = policy;
  return new AppError('invalid_status_transition', {
    message: `A policy that is ${from} cannot become ${to}.`,
    details: { from, to, allowed: allowedNext('automation_policy', from, moverOf(caller)) },
  });
}
