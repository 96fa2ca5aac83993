import type { Sql, Tx } from '../../db/open.ts';
import type { SessionFacts } from './view.ts';

/**
 * A mailed link was used although the account has passkeys. The first time counts, whatever happens to the passkeys
 * meanwhile, until `lapsed`: then it begins again. Undefined where the account has no effective passkey.
 */
export async function noteRecovery(tx: Tx, accountId: string, { now, lapsed }: { now: Date; lapsed: Date }) {
  const rows = await tx<{ recovery_since: Date }[]>`
    update accounts set recovery_since = case when recovery_since > ${lapsed} then recovery_since else ${now} end
    where account_id = ${accountId}
      and exists (select from operator_passkeys p where p.account_id = ${accountId} and p.effective_at <= ${now})
    returning recovery_since`;
  return rows[0]?.recovery_since;
}

/** The wait for a lost passkey starts again at the next sign-in by mail. False when none was running. */
export async function endRecovery(tx: Tx, accountId: string): Promise<boolean> {
  const result = await tx`
    update accounts set recovery_since = null where account_id = ${accountId} and recovery_since is not null`;
  return result.count > 0;
}

export async function readSession(sql: Sql, merchantId: string, sessionId: string) {
  const rows = await sql<SessionFacts[]>`
    select session_id, account_id, signed_in_by, network_address, user_agent, stepped_up_at, created_at, last_seen_at,
           expires_at
    from merchant_sessions
    where session_id = ${sessionId} and merchant_id = ${merchantId}`;
  return rows[0];
}

const MAX_LISTED = 100;

/** The account's own valid sessions, in this organization. */
export async function listOpenSessions(
  sql: Sql,
  { merchantId, accountId }: { merchantId: string; accountId: string },
  moment: { now: Date; idleSince: Date },
): Promise<SessionFacts[]> {
  return sql<SessionFacts[]>`
    select session_id, account_id, signed_in_by, network_address, user_agent, stepped_up_at, created_at, last_seen_at,
           expires_at
    from merchant_sessions
    where merchant_id = ${merchantId} and account_id = ${accountId} and ended_at is null
      and expires_at >= ${moment.now} and last_seen_at >= ${moment.idleSince}
    order by created_at desc, session_id desc limit ${MAX_LISTED}`;
}

export async function endSessionRow(tx: Tx, merchantId: string, sessionId: string, now: Date) {
  const result = await tx`
    update merchant_sessions set ended_at = ${now}
    where session_id = ${sessionId} and merchant_id = ${merchantId} and ended_at is null`;
  return result.count > 0;
}

/** In every organization of the account. */
export async function endSessionRowsOf(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<{ session_id: string; merchant_id: string }[]> {
  return tx<{ session_id: string; merchant_id: string }[]>`
    update merchant_sessions set ended_at = ${now}
    where session_id in (
      select session_id from merchant_sessions where account_id = ${accountId} and ended_at is null
      order by session_id for update)
    returning session_id, merchant_id`;
}

/**
 * Keys that may be an attacker's: all that were made with an admin session, and all recent ones. In every organization
 * of the account.
 */
export async function endApiKeysInDoubt(
  tx: Tx,
  accountId: string,
  since: Date,
  now: Date,
): Promise<{ api_key_id: string; merchant_id: string; agent_id: string }[]> {
  return tx<{ api_key_id: string; merchant_id: string; agent_id: string }[]>`
    update api_keys set revoked_at = ${now}
    where created_by = ${accountId} and revoked_at is null
      and (made_with = 'admin_session' or created_at >= ${since})
    returning api_key_id, merchant_id, agent_id`;
}

/** An admin session never outlives the session that created it. */
export async function endAdminSessions(
  tx: Tx,
  sessionIds: readonly string[],
  now: Date,
): Promise<{ session_id: string; merchant_id: string }[]> {
  return tx<{ session_id: string; merchant_id: string }[]>`
    update admin_sessions set ended_at = ${now}
    where merchant_session_id = any(${[...sessionIds]}::text[]) and ended_at is null and expires_at >= ${now}
    returning session_id, merchant_id`;
}
