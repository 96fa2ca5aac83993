import { allowedNext, evidenceDigest } from '@countersign/protocol';
import type { Act } from '../../act.ts';
import { type Database, type Sql, type Tx, transaction } from '../../db/open.ts';
import { AppError, notFound, versionConflict } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { domainProofFailed, type ProofParts, proveDomainNow } from '../merchants/prove-domain.ts';
import { findVerifiedDomain, holdVerifiedDomain, type VerifiedDomain } from '../merchants/verified-domain.ts';
import { refuseArchived } from './add-version.ts';
import type { RecipientAndVersion } from './create.ts';
import type { VerifyInput } from './schema.ts';
import { lockRecipient, selectRecipient } from './sql.ts';
import { insertEvidence, markVerified, selectVersion } from './version-sql.ts';
import type { EvidenceRow, RecipientRow, VersionRow } from './view.ts';

export const EVIDENCE_LIFE_MS = DAY_MS;

export interface VerifiedVersion extends RecipientAndVersion {
  evidence: EvidenceRow;
}

/**
 * Makes evidence: the domain's proof is looked up again at this moment, so that whoever fixes a payee controls the
 * domain now. The look is outside any transaction; what it rests on is judged before it and once more behind it.
 */
export async function verifyRecipientVersion(
  parts: ProofParts & { db: Database },
  act: Act,
  principal: MerchantPrincipal,
  recipientId: string,
  input: VerifyInput,
): Promise<VerifiedVersion> {
  const { merchantId } = principal;
  const recipient = await selectRecipient(parts.db, merchantId, recipientId);
  const { domain } = await judge(parts.db, merchantId, recipient, input, findVerifiedDomain);
  const proof = await proveDomainNow(parts, domain);
  if (!proof.ok) throw domainProofFailed(proof.details);
  return transaction(parts.db, async (tx) => {
    const held = await lockRecipient(tx, merchantId, recipientId);
    const judged = await judge(tx, merchantId, held, input, holdVerifiedDomain);
    if (judged.domain.challenge !== domain.challenge || judged.domain.method !== domain.method)
      throw new AppError('domain_not_verified');
    return recordEvidence(tx, act, principal, judged, input);
  });
}

interface Judged {
  recipient: RecipientRow;
  version: VersionRow;
  domain: VerifiedDomain;
}

/** Look-ups first, then the version of the Recipient, then everything else that stands against it. */
async function judge<S extends Sql>(
  sql: S,
  merchantId: string,
  recipient: RecipientRow | undefined,
  input: VerifyInput,
  findDomain: (sql: S, merchantId: string, domainId: string) => Promise<VerifiedDomain>,
): Promise<Judged> {
  if (!recipient) throw notFound();
  const version = await selectVersion(sql, merchantId, recipient.recipient_id, input.recipient_version_id);
  if (!version) throw notFound();
  const domain = await findDomain(sql, merchantId, input.source_id).catch((fault: unknown) => {
    if (fault instanceof AppError && fault.code === 'domain_not_verified') return fault;
    throw fault;
  });
  if (recipient.version !== input.version) throw versionConflict(recipient.version);
  refuseArchived(recipient);
  if (version.status === 'superseded') throw impossibleMove(version, 'verified');
  if (domain instanceof AppError) throw domain;
  return { recipient, version, domain };
}

async function recordEvidence(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  { recipient, version, domain }: Judged,
  input: VerifyInput,
): Promise<VerifiedVersion> {
  const { merchantId } = principal;
  const proved = {
    type: input.type,
    domain: domain.domain,
    method: domain.method,
    verified_at: act.now.toISOString(),
  };
  const evidence = await insertEvidence(tx, {
    evidence_id: act.newId('evd'),
    recipient_version_id: version.recipient_version_id,
    merchant_id: merchantId,
    type: input.type,
    source_id: domain.domainId,
    domain: domain.domain,
    method: domain.method,
    evidence_digest: evidenceDigest({ ...version, ...proved }),
    created_at: act.now,
    expires_at: addMs(act.now, EVIDENCE_LIFE_MS),
  });
  const verified = await markVerified(tx, merchantId, version.recipient_version_id, act.now);
  await recordAudit(tx, act, {
    merchantId,
    type: 'recipient.version_verified',
    actor: auditActor(principal),
    target: { type: 'recipient', id: recipient.recipient_id },
    details: {
      recipient_version_id: version.recipient_version_id,
      evidence_id: evidence.evidence_id,
      evidence_digest: evidence.evidence_digest,
      domain: evidence.domain,
      method: evidence.method,
    },
  });
  return { evidence, recipient, version: verified ?? version };
}

export function impossibleMove(version: VersionRow, to: VersionRow['status']): AppError {
  return new AppError('invalid_status_transition', {
    details: {
      from: version.status,
      to,
      allowed: allowedNext('recipient_version', version.status, 'merchant'),
    },
  });
}
