import type { Database, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { LockedConnection } from './connection-sql.ts';

/** How many connections of a closed wallet its own call closes, and how many the job takes in one turn. */
const BATCH = 20;

/** Adds a revoked connection to the list of those with something left to close. */
export async function enqueueRevocation(tx: Tx, connection: LockedConnection, now: Date): Promise<void> {
  await tx`
    insert into connection_revocations (connection_id, wallet_id, merchant_id, requested_at, announced_at)
    values (${connection.connection_id}, ${connection.wallet_id}, ${connection.merchant_id}, ${now}, ${now})
    on conflict (connection_id) do nothing`;
}

/**
 * Ends every open connection of the wallet in one statement and queues it; its announcements follow. The caller has
 * locked the wallet, so none is added meanwhile.
 */
export async function endConnectionsOfWallet(tx: Tx, walletId: string, now: Date): Promise<string[]> {
  const rows = await tx<{ connection_id: string; merchant_id: string }[]>`
    with living as materialized (
      select connection_id from connections where wallet_id = ${walletId}
        and ${mayBecome(tx, 'connection', 'revoked', 'system')}
      order by connection_id for update
    ), ended as (
      update connections c set status = 'revoked', updated_at = ${now}, revoked_at = ${now}
      from living where c.connection_id = living.connection_id and c.wallet_id = ${walletId}
      returning c.connection_id, c.merchant_id
    ), listed as (
      insert into connection_revocations (connection_id, wallet_id, merchant_id, requested_at)
      select connection_id, ${walletId}, merchant_id, ${now} from ended
      on conflict (connection_id) do nothing
    )
    select connection_id, merchant_id from ended`;
  const merchantIds = rows.map((row) => row.merchant_id);
  await tx`select hold_standings(${merchantIds}::text[])`;
  return rows.map((row) => row.connection_id);
}

export interface DueRevocation {
  connection_id: string;
  wallet_id: string;
  merchant_id: string;
  is_announced: boolean;
}

export async function findRevocation(db: Database, connectionId: string): Promise<DueRevocation | undefined> {
  const [row] = await db<DueRevocation[]>`
    select connection_id, wallet_id, merchant_id, announced_at is not null as is_announced
    from connection_revocations where connection_id = ${connectionId}`;
  return row;
}

/** False when another process has done it. */
export async function markAnnounced(tx: Tx, connectionId: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update connection_revocations set announced_at = ${now}
    where connection_id = ${connectionId} and announced_at is null returning connection_id`;
  return rows.length > 0;
}

export async function finishRevocation(db: Database, connectionId: string): Promise<void> {
  await db`
    delete from connection_revocations where connection_id = ${connectionId} and announced_at is not null`;
}

export async function listRevocationsOfWallet(db: Database, walletId: string): Promise<string[]> {
  const rows = await db<{ connection_id: string }[]>`
    select connection_id from connection_revocations where wallet_id = ${walletId}
    order by connection_id limit ${BATCH}`;
  return rows.map((row) => row.connection_id);
}

export async function listDueRevocations(db: Database): Promise<string[]> {
  const rows = await db<{ connection_id: string }[]>`
    select connection_id from connection_revocations order by requested_at, connection_id limit ${BATCH}`;
  return rows.map((row) => row.connection_id);
}

export async function hasLivingPolicies(
  sql: Sql,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
): Promise<boolean> {
  const rows = await sql`
    select from automation_policies
    where merchant_id = ${merchantId} and connection_id = ${connectionId} and status <> 'revoked' limit 1`;
  return rows.length > 0;
}

export interface RevokedAgent {
  agent_id: string;
  merchant_id: string;
}

export async function listRevokedAgents(db: Database): Promise<RevokedAgent[]> {
  return db<RevokedAgent[]>`
    select agent_id, merchant_id from agent_revocations order by requested_at, agent_id limit 20`;
}

/** Takes the agent off the list once nothing of it is left, including what another process has locked. */
export async function finishRevokedAgent(db: Database, agent: RevokedAgent): Promise<boolean> {
  const rows = await db`
    delete from agent_revocations r
    where r.agent_id = ${agent.agent_id} and r.merchant_id = ${agent.merchant_id}
      and not exists (select from connections c where c.agent_id = r.agent_id and c.status <> 'revoked')
      and not exists (select from connect_invitations i
                      where i.agent_id = r.agent_id and i.status in ('pending_approval', 'approved'))
      and not exists (select from pairing_sessions p where p.agent_id = r.agent_id and p.status = 'pending')
    returning r.agent_id`;
  return rows.length > 0;
}
