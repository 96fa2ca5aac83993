import type { Mover, Scope } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { AgentSuspension } from '../../errors.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { ConnectionRow } from './view.ts';

/** The owner of the connections; every statement needs one. */
export type ConnectionOwner =
  | { kind: 'wallet'; walletId: string }
  | { kind: 'agent'; merchantId: string; agentId: string }
  | { kind: 'merchant'; merchantId: string };

function ownedBy(sql: Sql, owner: ConnectionOwner) {
  switch (owner.kind) {
    case 'wallet':
      return sql`c.wallet_id = ${owner.walletId}`;
    case 'agent':
      return sql`c.agent_id = ${owner.agentId} and c.merchant_id = ${owner.merchantId}`;
    case 'merchant':
      return sql`c.merchant_id = ${owner.merchantId}`;
  }
}

/** A revoked agent has no open connections, even while its rows are still being processed. */
function selectConnections(sql: Sql) {
  return sql`
    select c.connection_id, c.wallet_id, c.scopes, c.created_at, c.updated_at, c.seen_agent_name,
           c.seen_merchant_name, ${requesterColumns(sql)},
           case when a.status = 'revoked' then 'revoked' else c.status end as status
    from connections c
      join agents a on a.agent_id = c.agent_id
      join merchants m on m.merchant_id = c.merchant_id`;
}

export async function findConnection(sql: Sql, owner: ConnectionOwner, connectionId: string) {
  const [row] = await sql<ConnectionRow[]>`
    ${selectConnections(sql)} where c.connection_id = ${connectionId} and ${ownedBy(sql, owner)}`;
  return row;
}

export function listConnections(db: Sql, owner: ConnectionOwner, page: PageRead): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    ${selectConnections(db)} where ${ownedBy(db, owner)}
    ${newestFirst(db, page, 'c.connection_id')}`;
}

/** The row itself, locked until the end of the transaction. Every change of a connection starts here. */
export interface LockedConnection {
  connection_id: string;
  merchant_id: string;
  agent_id: string;
  wallet_id: string;
  status: 'active' | 'paused' | 'revoked';
}

export async function lockConnection(tx: Tx, owner: ConnectionOwner, connectionId: string) {
  const [row] = await tx<LockedConnection[]>`
    select c.connection_id, c.merchant_id, c.agent_id, c.wallet_id, c.status from connections c
    where c.connection_id = ${connectionId} and ${ownedBy(tx, owner)}
    for update`;
  return row;
}

/** One open connection of a revoked agent that no other process has locked. */
export async function lockNextConnectionOf(tx: Tx, merchantId: string, agentId: string) {
  const [row] = await tx<LockedConnection[]>`
    select c.connection_id, c.merchant_id, c.agent_id, c.wallet_id, c.status from connections c
    where c.agent_id = ${agentId} and c.merchant_id = ${merchantId} and c.status <> 'revoked'
    order by c.connection_id limit 1
    for update skip locked`;
  return row;
}

export async function setConnectionStatus(
  tx: Tx,
  walletId: string,
  connectionId: string,
  status: 'active' | 'paused' | 'revoked',
  by: Mover,
  now: Date,
): Promise<void> {
  await tx`
    update connections
    set status = ${status}, updated_at = ${now}, revoked_at = ${status === 'revoked' ? now : null}
    where wallet_id = ${walletId} and connection_id = ${connectionId}
      and ${mayBecome(tx, 'connection', status, by)}`;
}

interface NewConnection {
  connectionId: string;
  merchantId: string;
  agentId: string;
  walletId: string;
  scopes: readonly Scope[];
  /** The names that the customer was shown; by default the current ones. */
  seenNames?: { agent: string | null; merchant: string | null };
}

export async function insertConnection(tx: Tx, connection: NewConnection, now: Date): Promise<void> {
  await tx`
    insert into connections
      (connection_id, merchant_id, agent_id, wallet_id, status, scopes, created_at, updated_at, seen_agent_name,
       seen_merchant_name)
    select ${connection.connectionId}, m.merchant_id, a.agent_id, ${connection.walletId}, 'active',
           ${[...connection.scopes]}::text[], ${now}, ${now}, coalesce(${connection.seenNames?.agent ?? null}, a.name),
           coalesce(${connection.seenNames?.merchant ?? null}, m.name)
    from agents a join merchants m on m.merchant_id = a.merchant_id
    where a.agent_id = ${connection.agentId} and a.merchant_id = ${connection.merchantId}`;
  await tx`
    update wallets set connected_at = ${now} where wallet_id = ${connection.walletId} and connected_at is null`;
  await tx`
    insert into connection_heads (merchant_id, connection_id)
    values (${connection.merchantId}, ${connection.connectionId})`;
}

/** Only current names count as seen: a name that changed meanwhile has not been shown. */
export async function markNamesSeen(
  tx: Tx,
  walletId: string,
  connectionId: string,
  names: { agent?: string; merchant?: string },
): Promise<void> {
  await tx`
    update connections c
    set seen_agent_name = case when a.name = ${names.agent ?? null} then a.name else c.seen_agent_name end,
        seen_merchant_name = case when m.name = ${names.merchant ?? null} then m.name else c.seen_merchant_name end
    from agents a, merchants m
    where c.wallet_id = ${walletId} and c.connection_id = ${connectionId} and a.agent_id = c.agent_id
      and m.merchant_id = c.merchant_id`;
}

interface HeldAgent extends AgentSuspension {
  status: 'pending' | 'active' | 'suspended' | 'revoked';
}

/**
 * Locks the agent against revocation and suspension until the connection exists, so that the job that ends a revoked
 * agent's connections misses none.
 */
export async function holdAgent(tx: Tx, merchantId: string, agentId: string): Promise<HeldAgent | undefined> {
  const [row] = await tx<HeldAgent[]>`
    select status, suspended_by_installation_at, merchant_suspended_at from agents
    where agent_id = ${agentId} and merchant_id = ${merchantId} for share`;
  return row;
}

/** Locks the wallet against the deletion of its last device until the connection exists. */
export async function holdWalletRow(tx: Tx, walletId: string): Promise<void> {
  await tx`select from wallets where wallet_id = ${walletId} for key share`;
}

/**
 * Columns of `RequesterRow`; `a` is the agent's row, `m` the merchant's. The oldest proof names the merchant, unless
 * the host has suspended it.
 */
export function requesterColumns(sql: Sql) {
  return sql`
    a.agent_id, a.name as agent_name, a.runtime as agent_runtime, m.merchant_id, m.name as merchant_name,
    (select d.domain from domains d
     where d.merchant_id = m.merchant_id and d.status = 'verified' and d.deleted_at is null and m.suspended_at is null
     order by d.verified_at, d.domain_id limit 1) as verified_domain`;
}
