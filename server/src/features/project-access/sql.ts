import type { OperatorRole } from '@payassent/protocol';
import type { Database, Sql, Tx } from '../../db/open.ts';
import type { MerchantStanding } from '../../principals.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { ApiKeyRow } from './view.ts';

export function listApiKeys(db: Sql, merchantId: string, page: PageRead): Promise<ApiKeyRow[]> {
  return db<ApiKeyRow[]>`
    select api_key_id, agent_id, name, created_by, created_at, revoked_at from api_keys
    where merchant_id = ${merchantId}
    ${newestFirst(db, page, 'api_key_id')}`;
}

const MAX_LISTED = 100;

export function listLivingKeysOf(sql: Sql, merchantId: string, accountId: string): Promise<ApiKeyRow[]> {
  return sql<ApiKeyRow[]>`
    select api_key_id, agent_id, name, created_by, created_at, revoked_at from api_keys
    where created_by = ${accountId} and revoked_at is null and merchant_id = ${merchantId}
    order by created_at desc, api_key_id desc limit ${MAX_LISTED}`;
}

/** Returns the key as it is now and whether this call revoked it. */
export async function revokeApiKeyRow(
  tx: Tx,
  merchantId: string,
  apiKeyId: string,
  now: Date,
): Promise<{ key: ApiKeyRow; isNews: boolean } | undefined> {
  const [revoked] = await tx<ApiKeyRow[]>`
    update api_keys set revoked_at = ${now}
    where merchant_id = ${merchantId} and api_key_id = ${apiKeyId} and revoked_at is null
    returning api_key_id, agent_id, name, created_by, created_at, revoked_at`;
  if (revoked) return { key: revoked, isNews: true };
  const [known] = await tx<ApiKeyRow[]>`
    select api_key_id, agent_id, name, created_by, created_at, revoked_at from api_keys
    where merchant_id = ${merchantId} and api_key_id = ${apiKeyId}`;
  return known && { key: known, isNews: false };
}

/** The same for an admin session: no key can be created during a sign-out. */
export async function holdAdminSession(tx: Tx, merchantId: string, sessionId: string): Promise<boolean> {
  const rows = await tx`
    select from admin_sessions
    where merchant_id = ${merchantId} and session_id = ${sessionId} and ended_at is null for share`;
  return rows.length > 0;
}

/** Locks the merchant session, so that a sign-out either waits or is seen: no admin session outlives it. */
export async function holdMerchantSession(tx: Tx, merchantId: string, sessionId: string): Promise<boolean> {
  const rows = await tx`
    select from merchant_sessions
    where merchant_id = ${merchantId} and session_id = ${sessionId} and ended_at is null for share`;
  return rows.length > 0;
}

export async function insertAdminSession(
  tx: Tx,
  session: {
    session_id: string;
    token_hash: string;
    merchant_id: string;
    account_id: string;
    merchant_session_id: string;
    created_at: Date;
    expires_at: Date;
  },
): Promise<void> {
  await tx`insert into admin_sessions ${tx(session)}`;
}

export async function endAdminSessionRow(tx: Tx, merchantId: string, sessionId: string, now: Date) {
  const rows = await tx`
    update admin_sessions set ended_at = ${now}
    where merchant_id = ${merchantId} and session_id = ${sessionId} and ended_at is null returning session_id`;
  return rows.length > 0;
}

interface PresentedSessionRow {
  session_id: string;
  merchant_id: string;
  merchant_status: MerchantStanding;
  account_id: string;
  role: OperatorRole | null;
  has_passkey: boolean;
  stepped_up_at: Date | null;
  passkey_effective_at: Date | null;
  recovers_at: Date | null;
  expires_at: Date;
  ended_at: Date | null;
}

export async function findPresentedSession(db: Database, tokenHash: string, now: Date) {
  const [row] = await db<PresentedSessionRow[]>`
    select s.session_id, s.merchant_id, s.account_id, o.role, s.expires_at, s.ended_at,
           i.stepped_up_at, i.passkey_effective_at, i.recovers_at,
           exists (select from operator_passkeys p
                   where p.account_id = s.account_id and p.effective_at <= ${now}) as has_passkey,
           case when m.suspended_at is null then m.status else 'suspended' end as merchant_status
    from admin_sessions s
      join merchants m on m.merchant_id = s.merchant_id
      left join merchant_operators o on o.merchant_id = s.merchant_id and o.account_id = s.account_id
      left join merchant_sessions i on i.session_id = s.merchant_session_id
    where s.token_hash = ${tokenHash}`;
  return row;
}
