import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { ProjectConnection } from '../project-access/connection.ts';
import type { Destination } from './destination.ts';
import { lockPolicy, selectGoverning, selectPolicy } from './sql.ts';
import type { JudgedRow, PolicyRow } from './view.ts';

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

/** The policy that speaks for an intent that names none. */
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

/** The policy as it is now, held until the end of the transaction. */
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
