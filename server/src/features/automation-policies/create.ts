import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { holdConnection, refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { actorOf, announcePolicy } from './announce.ts';
import type { PolicyInput } from './schema.ts';
import { insertPolicy } from './sql.ts';
import { mergeThresholds, NO_THRESHOLDS, refuseUnknownRecipients } from './thresholds.ts';
import type { PolicyRow } from './view.ts';

/** A draft, whoever writes it: nothing may be paid under it until the user opts in. */
export async function createPolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  input: PolicyInput,
): Promise<PolicyRow> {
  const connection = await holdConnection(tx, caller, input.connection_id, 'policy');
  const { merchant_id: merchantId } = connection;
  await refuseUnknownRecipients(tx, merchantId, input.allowlist);
  refuseRevoked(connection);
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
    ...mergeThresholds(NO_THRESHOLDS, input),
  };
  await insertPolicy(tx, policy, act.now);
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'created');
}
