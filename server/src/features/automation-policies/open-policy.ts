import { type AutomationPolicyStatus, allowedNext, type Mover } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { type AppError, impossibleMove, notFound } from '../../errors.ts';
import { holdWallet } from '../callers/device-token.ts';
import { holdConnection, type ProjectConnection } from '../project-access/connection.ts';
import {
  type ProjectCaller,
  type ProjectReader,
  reachOf,
  refuseForeignKey,
} from '../project-access/reach.ts';
import type { Destination } from './destination.ts';
import type { Allowlist, Payees } from './pins.ts';
import { lockPolicy, selectGoverning, selectPayees, selectPolicy } from './sql.ts';
import type { JudgedRow, PolicyRow } from './view.ts';

/** The policy, if it is within the caller's reach. */
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
 * Locks what a change of a policy depends on, in the lock order: wallet, connection, policy. The returned rows were
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
  const allowed = allowedNext('automation_policy', from, moverOf(caller));
  return impossibleMove([from, to], allowed, `A policy that is ${from} cannot become ${to}.`);
}

/** The current payees of an allowlist; only those of this merchant. */
export async function lookUpPayees(sql: Sql, merchantId: string, allowlist: Allowlist): Promise<Payees> {
  const recipientIds = [...new Set((allowlist ?? []).flatMap((entry) => entry.recipient_id ?? []))];
  if (recipientIds.length === 0) return new Map();
  const rows = await selectPayees(sql, merchantId, recipientIds);
  if (rows.length < recipientIds.length) throw notFound();
  return new Map(rows.map((row) => [row.recipient_id, row]));
}

/** The policy that an intent names, which must be one of this connection. */
export async function namedPolicy(
  tx: Tx,
  act: Act,
  connection: ProjectConnection,
  policyId: string,
): Promise<PolicyRow> {
  const policy = await selectPolicy(tx, merchantReach(connection), policyId, act.now);
  if (policy?.connection_id !== connection.connection_id) throw notFound();
  return policy;
}

/** The policy that governs an intent that names none. */
export async function governingPolicy(
  tx: Tx,
  act: Act,
  connection: ProjectConnection,
  { facts }: Destination,
): Promise<JudgedRow | undefined> {
  const { network, asset, issuer } = facts;
  const subject = { connectionId: connection.connection_id, network, asset, issuer: issuer ?? '' };
  return selectGoverning(tx, connection.merchant_id, subject, act.now);
}

/** The current policy, locked until the end of the transaction. */
export async function holdPolicy(
  tx: Tx,
  act: Act,
  connection: ProjectConnection,
  policyId: string,
): Promise<PolicyRow> {
  await lockPolicy(tx, connection.merchant_id, policyId);
  return namedPolicy(tx, act, connection, policyId);
}

function merchantReach({ merchant_id: merchantId }: ProjectConnection) {
  return { kind: 'merchant', merchantId } as const;
}
