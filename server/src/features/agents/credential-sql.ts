import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { CredentialRow } from './view.ts';

interface NewCredential {
  credentialId: string;
  agentId: string;
  kid: string;
  publicKey: Uint8Array;
  notBefore: Date | null;
  expiresAt: Date | null;
  challengeHash: string;
}

/** Undefined when the agent has a credential with this kid already. */
export async function insertCredential(tx: Tx, merchantId: string, credential: NewCredential, now: Date) {
  const rows = await tx<CredentialRow[]>`
    insert into agent_credentials
      (credential_id, agent_id, merchant_id, kid, alg, public_key, status, not_before, expires_at,
       challenge_hash, challenge_issued_at, created_at)
    values (${credential.credentialId}, ${credential.agentId}, ${merchantId}, ${credential.kid}, 'Ed25519',
            ${Buffer.from(credential.publicKey)}, 'pending_proof', ${credential.notBefore},
            ${credential.expiresAt}, ${credential.challengeHash}, ${now}, ${now})
    on conflict (agent_id, kid) do nothing
    returning *`;
  return rows[0];
}

export async function lockCredentialByKid(tx: Tx, merchantId: string, agentId: string, kid: string) {
  const rows = await tx<CredentialRow[]>`
    select * from agent_credentials
    where agent_id = ${agentId} and merchant_id = ${merchantId} and kid = ${kid} for update`;
  return rows[0];
}

export async function selectCredential(db: Sql, merchantId: string, agentId: string, credentialId: string) {
  const rows = await db<CredentialRow[]>`
    select * from agent_credentials
    where credential_id = ${credentialId} and agent_id = ${agentId} and merchant_id = ${merchantId}`;
  return rows[0];
}

export async function lockCredential(tx: Tx, merchantId: string, agentId: string, credentialId: string) {
  const rows = await tx<CredentialRow[]>`
    select * from agent_credentials
    where credential_id = ${credentialId} and agent_id = ${agentId} and merchant_id = ${merchantId} for update`;
  return rows[0];
}

/** The older challenge ends by being overwritten. */
export async function replaceChallenge(
  tx: Tx,
  merchantId: string,
  credentialId: string,
  fresh: { challengeHash: string; notBefore: Date | null; expiresAt: Date | null },
  now: Date,
): Promise<CredentialRow | undefined> {
  const rows = await tx<CredentialRow[]>`
    update agent_credentials
    set challenge_hash = ${fresh.challengeHash}, challenge_issued_at = ${now},
        not_before = ${fresh.notBefore}, expires_at = ${fresh.expiresAt}
    where credential_id = ${credentialId} and merchant_id = ${merchantId} and status = 'pending_proof'
    returning *`;
  return rows[0];
}

/** Uses up the challenge: a second call finds no row. */
export async function spendChallenge(
  tx: Tx,
  merchantId: string,
  credentialId: string,
  challenge: { hash: string; issuedNotBefore: Date },
  now: Date,
): Promise<CredentialRow | undefined> {
  const rows = await tx<CredentialRow[]>`
    update agent_credentials
    set status = 'active', challenge_used_at = ${now}
    where credential_id = ${credentialId} and merchant_id = ${merchantId}
      and ${mayBecome(tx, 'credential', 'active', 'merchant')}
      and challenge_hash = ${challenge.hash} and challenge_used_at is null
      and challenge_issued_at >= ${challenge.issuedNotBefore}
      and (expires_at is null or expires_at >= ${now})
    returning *`;
  return rows[0];
}

export async function endCredential(tx: Tx, merchantId: string, credentialId: string) {
  const rows = await tx<CredentialRow[]>`
    update agent_credentials set status = 'revoked'
    where credential_id = ${credentialId} and merchant_id = ${merchantId}
      and ${mayBecome(tx, 'credential', 'revoked', 'merchant')}
    returning *`;
  return rows[0];
}

export function listCredentials(
  db: Sql,
  merchantId: string,
  agentId: string,
  page: PageRead,
): Promise<CredentialRow[]> {
  return db<CredentialRow[]>`
    select * from agent_credentials where agent_id = ${agentId} and merchant_id = ${merchantId}
    ${newestFirst(db, page, 'credential_id')}`;
}

interface Ending {
  agent_id: string;
  merchant_id: string;
}

/** The oldest revoked agent whose credentials no other process is ending right now. */
export async function claimEnding(tx: Tx): Promise<Ending | undefined> {
  const rows = await tx<Ending[]>`
    select agent_id, merchant_id from agent_credential_endings
    order by requested_at limit 1 for update skip locked`;
  return rows[0];
}

export async function endCredentialsOf(tx: Tx, ending: Ending, limit: number): Promise<CredentialRow[]> {
  return tx<CredentialRow[]>`
    update agent_credentials set status = 'revoked'
    where credential_id in (
      select credential_id from agent_credentials
      where agent_id = ${ending.agent_id} and merchant_id = ${ending.merchant_id}
        and ${mayBecome(tx, 'credential', 'revoked', 'system')}
      order by credential_id limit ${limit} for update)
    returning *`;
}

export async function forgetEnding(tx: Tx, ending: Ending): Promise<void> {
  await tx`
    delete from agent_credential_endings
    where agent_id = ${ending.agent_id} and merchant_id = ${ending.merchant_id}`;
}
