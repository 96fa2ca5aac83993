import type { Database, Sql, Tx } from '../../db/open.ts';

/** A wallet rarely has more; what is left is found by the next turn of the job. */
const BATCH = 1000;

/** Puts every living connection of the wallet on the list. The caller holds the wallet, so none is added meanwhile. */
export async function enqueueWalletRevocations(tx: Tx, walletId: string, now: Date): Promise<void> {
  await tx`
    insert into connection_revocations (connection_id, wallet_id, requested_at)
    select connection_id, wallet_id, ${now} from connections
    where wallet_id = ${walletId} and status <> 'revoked'
    on conflict (connection_id) do nothing`;
}

export async function listDueRevocations(sql: Sql, walletId: string): Promise<string[]> {
  const rows = await sql<{ connection_id: string }[]>`
    select connection_id from connection_revocations where wallet_id = ${walletId}
    order by connection_id limit ${BATCH}`;
  return rows.map((row) => row.connection_id);
}

export async function settleRevocation(tx: Tx, walletId: string, connectionId: string): Promise<void> {
  await tx`
    delete from connection_revocations where wallet_id = ${walletId} and connection_id = ${connectionId}`;
}

export async function listWalletsWithDueRevocations(db: Database): Promise<string[]> {
  const rows = await db<{ wallet_id: string }[]>`
    select wallet_id from connection_revocations group by wallet_id order by min(requested_at) limit 20`;
  return rows.map((row) => row.wallet_id);
}

export interface RevokedAgent {
  agent_id: string;
  merchant_id: string;
}

export async function listRevokedAgents(db: Database): Promise<RevokedAgent[]> {
  return db<RevokedAgent[]>`
    select agent_id, merchant_id from agent_revocations order by requested_at, agent_id limit 20`;
}

/** Takes the agent off the list once nothing of it is left, also nothing that another process still works on. */
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
