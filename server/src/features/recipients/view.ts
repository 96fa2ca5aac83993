import {
  type DerivedFacts,
  type DomainMethod,
  type EvidenceType,
  type MemoPolicy,
  type PayeeBinding,
  payeeRecord,
  type RecipientVersionStatus,
} from '@payassent/protocol';
import {
  type Evidence,
  type Recipient,
  RecipientSchema,
  type RecipientVersion,
  RecipientVersionSchema,
} from '@payassent/protocol/records';
import { type Stored, viewOf } from '../record.ts';

export interface RecipientRow extends Stored<Recipient> {
  merchant_id: string;
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
  /** The domain's published text and its source; null for evidence from before these were stored. */
  found: string | null;
  resolver: string | null;
  created_at: Date;
  expires_at: Date;
}

/** The payee of this evidence, as the transparency log names it. */
export function loggedPayee({ evidence_id, domain, evidence_digest }: EvidenceRow) {
  return { evidenceId: evidence_id, domain, evidenceDigest: evidence_digest };
}

export const recipientView = viewOf(RecipientSchema);

const publishVersion = viewOf(RecipientVersionSchema);

export function versionView(row: VersionRow): RecipientVersion {
  return publishVersion({ ...row, payee_record: payeeRecord(row) });
}

/** With domain and method: together with the version's details, the whole input of the digest. */
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
