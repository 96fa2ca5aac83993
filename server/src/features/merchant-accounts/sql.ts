import type { Language, MerchantStatus, OperatorRole, SignInMethod } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';

interface GrantRow {
  account_id: string;
  merchant_id: string | null;
  /** Hash of the choice id → merchant id. */
  choices: Record<string, string>;
  signed_in_by: SignInMethod;
  passkey_effective_at: Date | null;
  created_at: Date;
}

export interface WorkspaceRow {
  merchant_id: string;
  name: string;
  status: MerchantStatus;
}

/**
 * Locks every unspent link of the address that this one was sent to, in one order, so that two links of one address are
 * spent one after the other. A link that is spent, expired or unknown returns nothing.
 */
export async function lockLinks(
  tx: Tx,
  tokenHash: string,
  now: Date,
): Promise<{ email: string; tokenHashes: string[] } | undefined> {
  const rows = await tx<{ token_hash: string; email: string }[]>`
    select token_hash, email from email_links
    where email = (select email from email_links where token_hash = ${tokenHash})
      and used_at is null and expires_at >= ${now}
    order by token_hash
    for update`;
  const own = rows.find((row) => row.token_hash === tokenHash);
  return own && { email: own.email, tokenHashes: rows.map((row) => row.token_hash) };
}

/** Only links that are already locked: a link sent concurrently would be locked out of order. */
export async function spendLinks(tx: Tx, tokenHashes: readonly string[], now: Date): Promise<void> {
  await tx`update email_links set used_at = ${now} where token_hash = any(${[...tokenHashes]}::text[])`;
}

/** The address is proved by now. Its account is created with the first proof and found by every later one. */
export async function findOrInsertAccount(
  tx: Tx,
  accountId: string,
  email: string,
  now: Date,
): Promise<string | undefined> {
  const rows = await tx<{ account_id: string }[]>`
    with made as (
      insert into accounts (account_id, email, created_at) values (${accountId}, ${email}, ${now})
      on conflict (email) do nothing
      returning account_id
    )
    select account_id from made union all select account_id from accounts where email = ${email}
    limit 1`;
  return rows[0]?.account_id;
}

export async function listWorkspaces(tx: Tx, accountId: string): Promise<WorkspaceRow[]> {
  return tx<WorkspaceRow[]>`
    select merchant_id, name, status from merchant_operators join merchants using (merchant_id)
    where account_id = ${accountId}
    order by merchants.created_at desc, merchant_id desc`;
}

export async function insertOperator(tx: Tx, merchantId: string, accountId: string, now: Date) {
  await tx`
    insert into merchant_operators (merchant_id, account_id, role, created_at, joined_at)
    values (${merchantId}, ${accountId}, 'owner', ${now}, ${now})`;
}

export interface MembershipRow {
  email: string;
  role: OperatorRole;
  created_at: Date;
  joined_at: Date | null;
}

/** Locked to the end of the transaction: a concurrent removal waits, or is seen here. */
export async function holdMembership(tx: Tx, merchantId: string, accountId: string) {
  const rows = await tx<MembershipRow[]>`
    select a.email, o.role, o.created_at, o.joined_at
    from merchant_operators o join accounts a using (account_id)
    where o.merchant_id = ${merchantId} and o.account_id = ${accountId} for update of o`;
  return rows[0];
}

export async function readMembership(sql: Sql, merchantId: string, accountId: string) {
  const rows = await sql<MembershipRow[]>`
    select a.email, o.role, o.created_at, o.joined_at
    from merchant_operators o join accounts a using (account_id)
    where o.merchant_id = ${merchantId} and o.account_id = ${accountId}`;
  return rows[0];
}

/** The language of the next mails. */
export async function noteLanguage(tx: Tx, accountId: string, language: Language): Promise<void> {
  await tx`
    update accounts set language = ${language}
    where account_id = ${accountId} and language is distinct from ${language}`;
}

export async function markJoined(tx: Tx, merchantId: string, accountId: string, now: Date): Promise<void> {
  await tx`
    update merchant_operators set joined_at = ${now}
    where merchant_id = ${merchantId} and account_id = ${accountId} and joined_at is null`;
}

/** Spends a grant once. A grant for one organization (next grant) and one for a choice are never interchangeable. */
export async function spendGrant(tx: Tx, tokenHash: string, kind: 'session' | 'next', now: Date) {
  const rows = await tx<GrantRow[]>`
    update session_grants set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at >= ${now}
      and (merchant_id is not null) = ${kind === 'next'}
    returning account_id, merchant_id, choices, signed_in_by, passkey_effective_at, created_at`;
  return rows[0];
}

export async function endGrants(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx`update session_grants set used_at = ${now} where account_id = ${accountId} and used_at is null`;
}
