import type { Scope } from '@payassent/protocol';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { requesterColumns } from './connection-sql.ts';
import type { PairingRow } from './view.ts';

const MAX_WRONG_CODES = 5;

export interface PairingSessionRow extends PairingRow {
  code_mac: string;
  code_key_id: string;
}

/**
 * `completed` is never stored: it is the first use of the connection's token, or the agent's collection of its token.
 */
function currentStatus(sql: Sql, now: Date) {
  return sql`case
    when p.status = 'pending' and a.status = 'revoked' then 'rejected'
    when p.status = 'pending' and p.expires_at < ${now} then 'expired'
    when p.status = 'approved' and exists (
      select from connection_tokens t where t.connection_id = p.connection_id
        and (t.first_used_at is not null or not t.is_shared))
      then 'completed'
    else p.status end`;
}

function selectSessions(sql: Sql, now: Date) {
  return sql`
    select p.pairing_session_id, p.requested_scopes, p.approved_scopes, p.connection_id, p.created_at, p.expires_at,
           p.code_mac, p.code_key_id, ${currentStatus(sql, now)} as status, ${requesterColumns(sql)}
    from pairing_sessions p
      join agents a on a.agent_id = p.agent_id
      join merchants m on m.merchant_id = p.merchant_id`;
}

/** False when another pending session has the same code: then the caller generates another one. */
export async function insertPairingSession(
  tx: Tx,
  session: {
    sessionId: string;
    merchantId: string;
    agentId: string;
    codeMac: string;
    codeKeyId: string;
    requestedScopes: readonly Scope[];
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const rows = await tx`
    insert into pairing_sessions
      (pairing_session_id, merchant_id, agent_id, status, code_mac, code_key_id, requested_scopes, created_at, expires_at)
    values (${session.sessionId}, ${session.merchantId}, ${session.agentId}, 'pending', ${session.codeMac},
            ${session.codeKeyId}, ${[...session.requestedScopes]}::text[], ${session.createdAt}, ${session.expiresAt})
    on conflict (code_mac) where status = 'pending' do nothing
    returning pairing_session_id`;
  return rows.length > 0;
}

export async function findSessionOfAgent(
  sql: Sql,
  agent: { merchantId: string; agentId: string },
  sessionId: string,
  now: Date,
): Promise<PairingSessionRow | undefined> {
  const [row] = await sql<PairingSessionRow[]>`
    ${selectSessions(sql, now)}
    where p.pairing_session_id = ${sessionId} and p.agent_id = ${agent.agentId} and p.merchant_id = ${agent.merchantId}`;
  return row;
}

/**
 * A session belongs to no wallet until one approves it: any wallet that knows its id and code may decide. Locked before
 * the code is compared, so that parallel guesses are counted one by one.
 */
export async function lockSession(
  tx: Tx,
  sessionId: string,
  now: Date,
): Promise<PairingSessionRow | undefined> {
  await tx`select from pairing_sessions where pairing_session_id = ${sessionId} for update`;
  const [row] = await tx<PairingSessionRow[]>`
    ${selectSessions(tx, now)} where p.pairing_session_id = ${sessionId}`;
  return row;
}

export async function countWrongCode(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`
    update pairing_sessions
    set wrong_codes = wrong_codes + 1,
        status = case when wrong_codes + 1 >= ${MAX_WRONG_CODES} then 'expired' else status end,
        decided_at = case when wrong_codes + 1 >= ${MAX_WRONG_CODES} then ${now}::timestamptz else decided_at end
    where pairing_session_id = ${sessionId} and ${mayBecome(sql, 'pairing_session', 'expired', 'system')}`;
}

export async function findPendingByCode(db: Database, codeMac: string, now: Date) {
  const [row] = await db<PairingSessionRow[]>`
    ${selectSessions(db, now)}
    where p.code_mac = ${codeMac} and p.status = 'pending' and p.expires_at >= ${now} and a.status <> 'revoked'`;
  return row;
}

/** Keys other than the current one that codes of open sessions were made with: during a rotation of the master key. */
export async function listFormerCodeKeys(db: Database, currentKeyId: string, now: Date): Promise<string[]> {
  const rows = await db<{ code_key_id: string }[]>`
    select distinct code_key_id from pairing_sessions
    where status = 'pending' and expires_at >= ${now} and code_key_id <> ${currentKeyId}`;
  return rows.map((row) => row.code_key_id);
}

export async function decideSession(
  tx: Tx,
  sessionId: string,
  decision: {
    status: 'approved' | 'rejected';
    walletId: string;
    approvedScopes: readonly Scope[] | null;
    connectionId: string | null;
  },
  now: Date,
): Promise<void> {
  await tx`
    update pairing_sessions
    set status = ${decision.status}, wallet_id = ${decision.walletId}, decided_at = ${now},
        approved_scopes = ${decision.approvedScopes === null ? null : [...decision.approvedScopes]}::text[],
        connection_id = ${decision.connectionId}
    where pairing_session_id = ${sessionId} and ${mayBecome(tx, 'pairing_session', decision.status, 'wallet')}`;
}

export async function rejectSessionsOfAgent(
  tx: Tx,
  agent: { merchantId: string; agentId: string },
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ pairing_session_id: string }[]>`
    update pairing_sessions set status = 'rejected', decided_at = ${now}
    where pairing_session_id in (
      select pairing_session_id from pairing_sessions
      where agent_id = ${agent.agentId} and merchant_id = ${agent.merchantId}
        and ${mayBecome(tx, 'pairing_session', 'rejected', 'system')}
      limit ${limit} for update skip locked)
    returning pairing_session_id`;
  return rows.map((row) => row.pairing_session_id);
}

/** An approved session stays until it is completed. */
export async function purgeSessions(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db`
    delete from pairing_sessions where pairing_session_id in (
      select p.pairing_session_id from pairing_sessions p
      where p.expires_at < ${before}
        and (p.status <> 'approved' or exists (
          select from connections c where c.connection_id = p.connection_id and c.status = 'revoked') or exists (
          select from connection_tokens t where t.connection_id = p.connection_id
            and coalesce(t.first_used_at, case when not t.is_shared then t.created_at end) < ${before}))
      limit ${limit})`;
  return result.count;
}
