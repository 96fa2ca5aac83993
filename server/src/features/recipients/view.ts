import {
  type DerivedFacts,
  type DomainMethod,
  type EvidenceType,
  type MemoPolicy,
  type PayeeBinding,
  payeeRecord,
  type RecipientStatus,
  type RecipientVersionStatus,
} from '@payassent/protocol';
import type { Evidence, Recipient, RecipientVersion } from '@payassent/protocol/records';

export interface RecipientRow {
  recipient_id: string;
  merchant_id: string;
  name: string;
  status: RecipientStatus;
  active_version_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface VersionRow extends Omit<DerivedFacts, 'memo_policy'> {
  memo_policy: MemoPolicy;
  recipient_version_id: string;
  recipient_id: string;
  merchant_id: string;
  number: number;
  status: RecipientVersionStatus;
  name: string;
  evidence_id: string | null;
  binding: PayeeBinding | null;
  created_at: Date;
  verified_at: Date | null;
  activated_at: Date | null;
  suspended_at: Date | null;
}

export interface EvidenceRow {
  evidence_id: string;
  recipient_version_id: string;
  merchant_id: string;
  type: EvidenceType;
  source_id: string;
  domain: string;
  method: DomainMethod;
  binding: PayeeBinding;
  evidence_digest: string;
  /** What the domain published, and who was asked; null for evidence from before this was kept. */
  found: string | null;
  resolver: string | null;
  created_at: Date;
  expires_at: Date;
}

/** The payee that rests on this evidence, as the transparency log names it. */
export function loggedPayee({ evidence_id, domain, evidence_digest }: EvidenceRow) {
  return { evidenceId: evidence_id, domain, evidenceDigest: evidence_digest };
}

export function recipientView(row: RecipientRow): Recipient {
  return {
    recipient_id: row.recipient_id,
    name: row.name,
    status: row.status,
    active_version_id: row.active_version_id,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function versionView(row: VersionRow): RecipientVersion {
  return {
    recipient_version_id: row.recipient_version_id,
    recipient_id: row.recipient_id,
    number: row.number,
    status: row.status,
    name: row.name,
    rail: row.rail,
    network: row.network,
    asset: row.asset,
    address: row.address,
    memo: row.memo,
    memo_policy: row.memo_policy,
    contract: row.contract,
    issuer: row.issuer,
    decimals: row.decimals,
    chain_id: row.chain_id,
    payee_record: payeeRecord(row),
    binding: row.binding,
    created_at: row.created_at.toISOString(),
    verified_at: row.verified_at?.toISOString() ?? null,
    activated_at: row.activated_at?.toISOString() ?? null,
    suspended_at: row.suspended_at?.toISOString() ?? null,
  };
}

/** With domain and method: together with the version's facts, everything that the digest is made of. */
export function evidenceView(row: EvidenceRow): Evidence & { domain: string; method: DomainMethod } {
  return {
    evidence_id: row.evidence_id,
    recipient_version_id: row.recipient_version_id,
    type: row.type,
    source_id: row.source_id,
    domain: row.domain,
    method: row.method,
    binding: row.binding,
    evidence_digest: row.evidence_digest,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
