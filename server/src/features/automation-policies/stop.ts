import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { SYSTEM_ACTOR } from '../audit/record.ts';
import { refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { actorOf, announcePolicy } from './announce.ts';
import { revokeAllOf } from './end-sql.ts';
import { impossible, openPolicy } from './open-policy.ts';
import { updatePolicy } from './sql.ts';
import type { PolicyRow } from './view.ts';

/** Stopping asks for no version: whoever wants less to be possible is never too late. */
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
  await updatePolicy(tx, policy, { ...policy, status: 'paused' }, act.now);
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
  await updatePolicy(tx, policy, { ...policy, status: 'revoked' }, act.now);
  const { merchant_id: merchantId } = policy;
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'revoked');
}

/** Follows the revocation of a connection, in its transaction: without the connection no consent is left. */
export async function revokePoliciesOfConnection(
  tx: Tx,
  act: Act,
  connection: { connectionId: string; merchantId: string },
): Promise<void> {
  const { merchantId } = connection;
  const policyIds = await revokeAllOf(tx, merchantId, connection.connectionId, act.now);
  for (const policyId of policyIds)
    await announcePolicy(tx, act, SYSTEM_ACTOR, { policyId, merchantId }, 'revoked');
}
