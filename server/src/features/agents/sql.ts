import type { AgentStatus, Scope } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { AgentRow } from './view.ts';

export async function insertAgent(
  tx: Tx,
  merchantId: string,
  agent: Pick<AgentRow, 'agent_id' | 'name' | 'runtime' | 'environment' | 'allowed_scopes' | 'require_proof'>,
  now: Date,
): Promise<AgentRow> {
  const rows = await tx<[AgentRow]>`
    insert into agents
      (agent_id, merchant_id, name, runtime, environment, allowed_scopes, require_proof, status, created_at, updated_at)
    values (${agent.agent_id}, ${merchantId}, ${agent.name}, ${agent.runtime}, ${agent.environment},
            ${agent.allowed_scopes}::text[], ${agent.require_proof}, 'pending', ${now}, ${now})
    returning *`;
  return rows[0];
}

/** Waits for a suspension that is under way, and holds back one that comes later until this transaction is over. */
export async function isMerchantSuspended(tx: Tx, merchantId: string): Promise<boolean> {
  const rows = await tx`
    select from merchants where merchant_id = ${merchantId} and suspended_at is null for share`;
  return rows.length === 0;
}

export async function selectAgent(db: Sql, merchantId: string, agentId: string) {
  const rows = await db<AgentRow[]>`
    select * from agents where agent_id = ${agentId} and merchant_id = ${merchantId}`;
  return rows[0];
}

export async function lockAgent(tx: Tx, merchantId: string, agentId: string): Promise<AgentRow | undefined> {
  const rows = await tx<AgentRow[]>`
    select * from agents where agent_id = ${agentId} and merchant_id = ${merchantId} for update`;
  return rows[0];
}

/** Keeps the agent from changing until the end of the transaction, without keeping others from doing the same. */
export async function holdAgent(tx: Tx, merchantId: string, agentId: string): Promise<AgentRow | undefined> {
  const rows = await tx<AgentRow[]>`
    select * from agents where agent_id = ${agentId} and merchant_id = ${merchantId} for share`;
  return rows[0];
}

export async function updateAgent(
  tx: Tx,
  merchantId: string,
  agent: AgentRow,
  change: { name: string; status: AgentStatus; allowedScopes: readonly Scope[]; requireProof: boolean },
  now: Date,
): Promise<AgentRow | undefined> {
  const rows = await tx<AgentRow[]>`
    update agents
    set name = ${change.name}, status = ${change.status}, allowed_scopes = ${[...change.allowedScopes]}::text[],
        require_proof = ${change.requireProof}, version = version + 1, updated_at = ${now}
    where agent_id = ${agent.agent_id} and merchant_id = ${merchantId}
      and version = ${agent.version} and status = ${agent.status}
      and ${mayBecome(tx, 'agent', change.status, 'merchant', { orIs: true })}
    returning *`;
  return rows[0];
}

export function listAgents(db: Sql, merchantId: string, page: PageRead): Promise<AgentRow[]> {
  return db<AgentRow[]>`
    select * from agents where merchant_id = ${merchantId}
    ${newestFirst(db, page, 'agent_id')}`;
}

/** Leaves word for the background: everything that hangs on the agent is to be ended. */
export async function queueAgentEnd(tx: Tx, merchantId: string, agentId: string, now: Date): Promise<void> {
  await tx`
    with connections as (
      insert into agent_revocations (agent_id, merchant_id, requested_at)
      values (${agentId}, ${merchantId}, ${now}) on conflict do nothing
    )
    insert into agent_credential_endings (agent_id, merchant_id, requested_at)
    values (${agentId}, ${merchantId}, ${now}) on conflict do nothing`;
}
