import type { Sql, Tx } from '../../db/open.ts';
import { type AgentSuspension, AppError, notFound, refuseSuspendedAgent } from '../../errors.ts';
import { inReach, type ProjectCaller, type Reach, reachOf, refuseForeignKey } from './reach.ts';

export interface ProjectConnection extends AgentSuspension {
  connection_id: string;
  merchant_id: string;
  agent_id: string;
  wallet_id: string;
  status: 'active' | 'paused' | 'revoked';
}

/**
 * `payment` locks the connection against revocation and pause with a shared lock; `policy` also serializes changes of
 * one connection's policies. Both are the first lock of their transaction.
 */
type Hold = 'payment' | 'policy';

/** The connection if it is within the caller's reach, locked until the end of the transaction. */
export async function holdConnection(
  tx: Tx,
  caller: ProjectCaller,
  connectionId: string,
  hold: Hold,
): Promise<ProjectConnection> {
  return selectConnection(
    tx,
    caller,
    connectionId,
    hold === 'payment' ? tx`for key share of o` : tx`for no key update of o`,
  );
}

/** The same without a lock, for readers. */
export async function readConnection(
  sql: Sql,
  caller: ProjectCaller,
  connectionId: string,
): Promise<ProjectConnection> {
  return selectConnection(sql, caller, connectionId, sql``);
}

async function selectConnection(
  sql: Sql,
  caller: ProjectCaller,
  connectionId: string,
  lock: ReturnType<Sql>,
): Promise<ProjectConnection> {
  // A revoked agent has no open connections, even while its rows are still being processed.
  const [row] = await sql<ProjectConnection[]>`
    select o.connection_id, o.merchant_id, o.agent_id, o.wallet_id,
           case when a.status = 'revoked' then 'revoked' else o.status end as status,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from connections o join agents a on a.agent_id = o.agent_id
    where o.connection_id = ${connectionId} and ${inReach(sql, reachOf(caller))} ${lock}`;
  if (!row) throw notFound();
  refuseForeignKey(caller, row.merchant_id);
  return row;
}

/** The merchant of the connection; undefined when a wallet has no such connection. */
export async function merchantOfConnection(sql: Sql, reach: Reach, connectionId: string) {
  if (reach.merchantId !== undefined) return reach.merchantId;
  const [row] = await sql<{ merchant_id: string }[]>`
    select o.merchant_id from connections o where o.connection_id = ${connectionId} and ${inReach(sql, reach)}`;
  return row?.merchant_id;
}

export function refuseRevoked(connection: ProjectConnection): void {
  if (connection.status === 'revoked') throw new AppError('connection_revoked');
}

export function refuseIdle(connection: ProjectConnection): void {
  refuseRevoked(connection);
  refuseSuspendedAgent(connection);
  if (connection.status === 'paused') throw new AppError('connection_paused');
}
