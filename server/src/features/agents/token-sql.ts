import type { AgentStatus, Scope } from '@payassent/protocol';
import type { Database, Tx } from '../../db/open.ts';
import type { AgentSuspension } from '../../errors.ts';
import type { CredentialRow } from './view.ts';

export interface Standing
  extends Pick<CredentialRow, 'status' | 'not_before' | 'expires_at'>,
    AgentSuspension {
  merchant_id: string;
  agent_status: AgentStatus;
  allowed_scopes: Scope[];
}

/** Credential and agent as they are now, kept so until the token is committed: a revocation waits or came first. */
export async function holdStanding(
  tx: Tx,
  agentId: string,
  credentialId: string,
): Promise<Standing | undefined> {
  const rows = await tx<Standing[]>`
    select a.merchant_id, c.status, c.not_before, c.expires_at, a.status as agent_status, a.allowed_scopes,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from agent_credentials c join agents a on a.agent_id = c.agent_id
    where c.credential_id = ${credentialId} and a.agent_id = ${agentId}
    for share`;
  return rows[0];
}

/** False when the jti is taken. One whose assertion can no longer be valid is free again. */
export async function recordJti(
  tx: Tx,
  credentialId: string,
  jti: string,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    insert into agent_assertions (credential_id, jti, expires_at)
    values (${credentialId}, ${jti}, ${expiresAt})
    on conflict (credential_id, jti) do update set expires_at = excluded.expires_at
      where agent_assertions.expires_at < ${now}
    returning credential_id`;
  return rows.length > 0;
}

export async function insertToken(
  tx: Tx,
  token: { hash: string; merchantId: string; agentId: string; credentialId: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  await tx`
    insert into agent_tokens (token_hash, merchant_id, agent_id, credential_id, created_at, expires_at)
    values (${token.hash}, ${token.merchantId}, ${token.agentId}, ${token.credentialId}, ${now}, ${token.expiresAt})`;
}

export interface TokenRow extends Standing {
  agent_id: string;
  credential_id: string;
  token_expires_at: Date;
}

export async function selectToken(db: Database, tokenHash: string): Promise<TokenRow | undefined> {
  const rows = await db<TokenRow[]>`
    select t.agent_id, a.merchant_id, t.credential_id, t.expires_at as token_expires_at,
           c.status, c.not_before, c.expires_at, a.status as agent_status, a.allowed_scopes,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from agent_tokens t
    join agent_credentials c on c.credential_id = t.credential_id
    join agents a on a.agent_id = t.agent_id
    where t.token_hash = ${tokenHash}`;
  return rows[0];
}

export async function purgeTokens(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db`
    delete from agent_tokens where token_hash in (
      select token_hash from agent_tokens where expires_at < ${before} order by expires_at limit ${limit})`;
  return result.count;
}

export async function purgeAssertions(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db`
    delete from agent_assertions where (credential_id, jti) in (
      select credential_id, jti from agent_assertions where expires_at < ${before} order by expires_at limit ${limit})`;
  return result.count;
}
