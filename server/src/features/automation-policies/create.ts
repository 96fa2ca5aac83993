import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { holdConnection, type ProjectConnection, refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { actorOf, announcePolicy } from './announce.ts';
import { lookUpPayees } from './look-up-payees.ts';
import { pinned } from './pins.ts';
import type { PolicyInput } from './schema.ts';
import { countOpenPolicies, insertPolicy } from './sql.ts';
import { mergeThresholds, NO_THRESHOLDS } from './thresholds.ts';
import type { PolicyRow } from './view.ts';

/**
 * A draft, no matter who writes it: nothing may be paid under it until the user opts in. It shows each Recipient in the
 * version that is active now, and the user can accept that one only.
 */
export async function createPolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  input: PolicyInput,
  cap: number,
): Promise<PolicyRow> {
  const connection = await holdConnection(tx, caller, input.connection_id, 'policy');
  const { merchant_id: merchantId } = connection;
  const values = mergeThresholds(NO_THRESHOLDS, input);
  const payees = await lookUpPayees(tx, merchantId, values.allowlist);
  refuseRevoked(connection);
  await refuseBeyondCap(tx, act, connection, cap);
  const policyId = act.newId('pol');
  const policy = {
    policyId,
    merchantId,
    agentId: connection.agent_id,
    walletId: connection.wallet_id,
    connectionId: connection.connection_id,
    network: input.network,
    asset: input.asset,
    issuer: input.issuer ?? '',
    ...values,
    allowlist: pinned(values.allowlist, payees),
  };
  await insertPolicy(tx, policy, act.now);
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'created');
}

/** Those who write policies of one connection take turns, so counting is enough. */
async function refuseBeyondCap(
  tx: Tx,
  act: Act,
  { merchant_id: merchantId, connection_id: connectionId }: ProjectConnection,
  cap: number,
): Promise<void> {
  if (cap === Number.POSITIVE_INFINITY) return;
  if ((await countOpenPolicies(tx, { merchantId, connectionId }, cap, act.now)) < cap) return;
  throw new AppError('limit_reached', {
    message: `A connection has at most ${cap} open policies: revoke those that are no longer needed.`,
    details: { limit: cap },
  });
}
