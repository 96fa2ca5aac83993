import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { SYSTEM_ACTOR } from '../audit/record.ts';
import { refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { actorOf, announcePolicies, announcePolicy } from './announce.ts';
import { revokeSome } from './end-sql.ts';
import { impossible, moverOf, openPolicy } from './open-policy.ts';
import { updatePolicy } from './sql.ts';
import type { PolicyRow } from './view.ts';

/** Stopping asks for no version: it is never too late to allow less. */
export async function pausePolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
): Promise<PolicyRow> {
  const { policy, connection } = await openPolicy(tx, act, caller, policyId);
  refuseRevoked(connection);
  if (policy.status === 'paused') return policy;
  if (policy.status !== 'active') throw impossible(policy, 'paused', caller);
  await updatePolicy(tx, policy, { ...policy, status: 'paused' }, moverOf(caller), act.now);
  const { merchant_id: merchantId } = policy;
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'paused');
}

export async function revokePolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
): Promise<PolicyRow> {
  const { policy } = await openPolicy(tx, act, caller, policyId);
  if (policy.status === 'revoked') return policy;
  await updatePolicy(tx, policy, { ...policy, status: 'revoked' }, moverOf(caller), act.now);
  const { merchant_id: merchantId } = policy;
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'revoked');
}

/** Few statements end this many policies, with their audit entries and webhook rows. */
const BATCH = 500;

/** Follows the revocation of a connection, in its transaction: without the connection no consent is left. */
export async function revokePoliciesOfConnection(
  tx: Tx,
  act: Act,
  connection: { connectionId: string; merchantId: string },
): Promise<void> {
  while ((await revokePolicyBatch(tx, act, connection)) === BATCH);
}

/**
 * Ends up to 500 policies of a connection that is revoked, with everything that follows from it; for those who spread
 * the work over several transactions. Answers how many: fewer than 500 means that none is left.
 */
export async function revokePolicyBatch(
  tx: Tx,
  act: Act,
  connection: { connectionId: string; merchantId: string },
): Promise<number> {
  const { merchantId } = connection;
  const policyIds = await revokeSome(tx, connection, BATCH, act.now);
  const changed = policyIds.map((policyId) => ({ policyId }));
  await announcePolicies(tx, act, SYSTEM_ACTOR, merchantId, changed, 'revoked');
  return policyIds.length;
}
