import type { AgentStatus, CredentialStatus } from '@payassent/protocol';
import { type Agent, AgentSchema, type Credential, CredentialSchema } from '@payassent/protocol/records';
import { type Stored, viewOf } from '../record.ts';

export interface AgentRow extends Stored<Agent> {
  merchant_id: string;
  suspended_by_installation_at: Date | null;
}

export interface CredentialRow extends Stored<Omit<Credential, 'not_before'>> {
  merchant_id: string;
  public_key: Buffer;
  not_before: Date | null;
  challenge_hash: string | null;
  challenge_issued_at: Date | null;
  challenge_used_at: Date | null;
}

const publishAgent = viewOf(AgentSchema);

export function agentView(row: AgentRow): Agent {
  return publishAgent({ ...row, status: shownStatus(row) });
}

/** A suspension by the host is shown as such, whatever its merchant has set; revoked stays revoked. */
function shownStatus(row: Pick<AgentRow, 'status' | 'suspended_by_installation_at'>): AgentStatus {
  return row.suspended_by_installation_at && row.status !== 'revoked' ? 'suspended' : row.status;
}

const publishCredential = viewOf(CredentialSchema);

export function credentialView(row: CredentialRow, now: Date): Credential {
  return publishCredential({ ...row, status: credentialStatus(row, now) });
}

/** The clock moves a credential to `expired` without a statement: its row holds its end date. */
export function credentialStatus(
  row: Pick<CredentialRow, 'status' | 'expires_at'>,
  now: Date,
): CredentialStatus {
  const lives = row.status === 'pending_proof' || row.status === 'active';
  return lives && row.expires_at !== null && row.expires_at < now ? 'expired' : row.status;
}

/** Proved, not revoked, and within its dates; the same condition as `agent_is_usable` in the database. */
export function credentialWorks(
  row: Pick<CredentialRow, 'status' | 'not_before' | 'expires_at'>,
  now: Date,
): boolean {
  return credentialStatus(row, now) === 'active' && (row.not_before === null || row.not_before <= now);
}
