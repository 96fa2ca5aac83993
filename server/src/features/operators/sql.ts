import type { OperatorRole } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';

export interface OperatorRow {
  account_id: string;
  email: string;
  role: OperatorRole;
  created_at: Date;
  joined_at: Date | null;
}

export async function findOperator(
  sql: Sql,
  merchantId: string,
  accountId: string,
): Promise<OperatorRow | undefined> {
  const rows = await sql<OperatorRow[]>`
    select o.account_id, a.email, o.role, o.created_at, o.joined_at
    from merchant_operators o join accounts a using (account_id)
    where o.merchant_id = ${merchantId} and o.account_id = ${accountId}`;
  return rows[0];
}

export async function findOperatorByEmail(sql: Sql, merchantId: string, email: string) {
  const rows = await sql<OperatorRow[]>`
    select o.account_id, a.email, o.role, o.created_at, o.joined_at
    from merchant_operators o join accounts a using (account_id)
    where o.merchant_id = ${merchantId} and a.email = ${email}`;
  return rows[0];
}

export async function listOperators(sql: Sql, merchantId: string): Promise<OperatorRow[]> {
  return sql<OperatorRow[]>`
    select o.account_id, a.email, o.role, o.created_at, o.joined_at
    from merchant_operators o join accounts a using (account_id)
    where o.merchant_id = ${merchantId}
    order by o.created_at desc, o.account_id desc`;
}

/** The founder joined when the organization was created, every other member by an invitation. */
export async function hasAcceptedInvitation(sql: Sql, merchantId: string): Promise<boolean> {
  const rows = await sql`
    select from merchant_operators
    where merchant_id = ${merchantId} and joined_at > created_at limit 1`;
  return rows.length > 0;
}

export async function countOperators(tx: Tx, merchantId: string): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int as count from merchant_operators where merchant_id = ${merchantId}`;
  return row.count;
}

/** The account of an unproved address opens nothing: only a mailed link does. */
export async function findOrInsertAccount(
  tx: Tx,
  accountId: string,
  email: string,
  now: Date,
): Promise<string> {
  const [row] = await tx<[{ account_id: string }]>`
    insert into accounts (account_id, email, created_at) values (${accountId}, ${email}, ${now})
    on conflict (email) do update set email = excluded.email
    returning account_id`;
  return row.account_id;
}

export async function setRole(tx: Tx, merchantId: string, accountId: string, role: OperatorRole, now: Date) {
  await tx`
    update merchant_operators set role = ${role}, role_since = ${now}
    where merchant_id = ${merchantId} and account_id = ${accountId}`;
}

export async function deleteOperator(tx: Tx, merchantId: string, accountId: string): Promise<void> {
  await tx`delete from merchant_operators where merchant_id = ${merchantId} and account_id = ${accountId}`;
}

/** In this organization alone. The membership is already gone, so no new session can begin after this. */
export async function endSessionsOf(
  tx: Tx,
  merchantId: string,
  accountId: string,
  now: Date,
): Promise<{ sessions: number; admin_sessions: number }> {
  const sessions = await tx`
    update merchant_sessions set ended_at = ${now}
    where merchant_id = ${merchantId} and account_id = ${accountId} and ended_at is null`;
  const admin = await tx`
    update admin_sessions set ended_at = ${now}
    where merchant_id = ${merchantId} and account_id = ${accountId} and ended_at is null`;
  return { sessions: sessions.count, admin_sessions: admin.count };
}

export interface PendingPasskeyRow {
  passkey_id: string;
  account_id: string;
  name: string;
  created_at: Date;
  effective_at: Date;
}

/** First passkeys that are not effective yet. */
export async function listPendingPasskeys(
  sql: Sql,
  accountIds: readonly string[],
  now: Date,
): Promise<PendingPasskeyRow[]> {
  return sql<PendingPasskeyRow[]>`
    select passkey_id, account_id, name, created_at, effective_at from operator_passkeys
    where account_id = any(${[...accountIds]}::text[]) and effective_at > ${now}
    order by created_at desc, passkey_id desc`;
}
