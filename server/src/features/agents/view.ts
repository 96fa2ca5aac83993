import type { AgentStatus, CredentialStatus, Scope } from '@payassent/protocol';
import type { Agent, Credential } from '@payassent/protocol/records';

export interface AgentRow {
  agent_id: string;
  merchant_id: string;
  name: string;
  runtime: string;
  environment: string;
  allowed_scopes: Scope[];
  status: AgentStatus;
  require_proof: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  suspended_by_installation_at: Date | null;
}

export interface CredentialRow {
  credential_id: string;
  agent_id: string;
  merchant_id: string;
  kid: string;
  alg: 'Ed25519';
  public_key: Buffer;
  status: CredentialStatus;
  not_before: Date | null;
  expires_at: Date | null;
  challenge_hash: string | null;
  challenge_issued_at: Date | null;
  challenge_used_at: Date | null;
  created_at: Date;
}

export function agentView(row: AgentRow): Agent {
  return {
    agent_id: row.agent_id,
    name: row.name,
    runtime: row.runtime,
    environment: row.environment,
    allowed_scopes: row.allowed_scopes,
    status: shownStatus(row),
    require_proof: row.require_proof,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** What the operator of the installation has suspended reads so, whatever its merchant has set; revoked stays revoked. */
function shownStatus(row: Pick<AgentRow, 'status' | 'suspended_by_installation_at'>): AgentStatus {
  return row.suspended_by_installation_at && row.status !== 'revoked' ? 'suspended' : row.status;
}

export function credentialView(row: CredentialRow, now: Date): Credential {
  return {
    credential_id: row.credential_id,
    agent_id: row.agent_id,
    kid: row.kid,
    alg: row.alg,
    status: credentialStatus(row, now),
    not_before: row.not_before?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The clock moves a credential to `expired` without a statement: its row says until when it lives. */
export function credentialStatus(
  row: Pick<CredentialRow, 'status' | 'expires_at'>,
  now: Date,
): CredentialStatus {
  const lives = row.status === 'pending_proof' || row.status === 'active';
  return lives && row.expires_at !== null && row.expires_at < now ? 'expired' : row.status;
}

/** Proved, not revoked, and within its dates; the same sentence as `agent_is_usable` in the database. */
export function credentialWorks(
  row: Pick<CredentialRow, 'status' | 'not_before' | 'expires_at'>,
  now: Date,
): boolean {
  return credentialStatus(row, now) === 'active' && (row.not_before === null || row.not_before <= now);
}
