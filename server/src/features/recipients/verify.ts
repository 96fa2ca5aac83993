import { allowedNext, evidenceDigest, type PayeeBinding, payeeRecord } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { type Database, type Sql, type Tx, transaction } from '../../db/open.ts';
import { AppError, impossibleMove, notFound, versionConflict } from '../../errors.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { readMerchant } from '../merchants/merchant.ts';
import {
  domainProofFailed,
  type ProofParts,
  proveDomainNow,
  provePayeeNow,
} from '../merchants/prove-domain.ts';
import { findVerifiedDomain, holdVerifiedDomain, type VerifiedDomain } from '../merchants/verified-domain.ts';
import { type RecipientAndVersion, refuseArchived, type VerifyInput } from './recipients.ts';
import { lockRecipient, selectRecipient } from './sql.ts';
import { insertEvidence, markVerified, selectVersion } from './version-sql.ts';
import type { EvidenceRow, RecipientRow, VersionRow } from './view.ts';

const EVIDENCE_LIFE_MS = DAY_MS;

interface VerifiedVersion extends RecipientAndVersion {
  evidence: EvidenceRow;
}

interface VerifyParts extends ProofParts {
  db: Database;
  /** This service makes evidence only for payees that the domain itself names. */
  mustBind: boolean;
  /** Who resolves domains, as evidence names it. */
  resolver: string;
}

/**
 * Makes evidence: checks the domain's proof again now, so that the merchant that defines a payee controls the domain at
 * this time, and checks whether the domain itself names this payee. Network calls are outside any transaction; their
 * preconditions are checked before them and again after them.
 */
export async function verifyRecipientVersion(
  parts: VerifyParts,
  act: Act,
  principal: MerchantPrincipal,
  recipientId: string,
  input: VerifyInput,
): Promise<VerifiedVersion> {
  const { merchantId } = principal;
  const recipient = await selectRecipient(parts.db, merchantId, recipientId);
  const found = await orUnverified(findVerifiedDomain(parts.db, merchantId, input.source_id));
  const { domain, version } = await judge(parts.db, merchantId, recipient, input, found);
  const [proof, naming] = await Promise.all([
    proveDomainNow(parts, domain),
    provePayeeNow(parts, domain, payeeRecord(version)),
  ]);
  if (!proof.ok) throw domainProofFailed(proof.details);
  return transaction(parts.db, async (tx) => {
    // The domain before the payee, as in everything that ends a domain.
    const heldDomain = await orUnverified(holdVerifiedDomain(tx, merchantId, input.source_id));
    const held = await lockRecipient(tx, merchantId, recipientId);
    const judged = await judge(tx, merchantId, held, input, heldDomain);
    if (judged.domain.challenge !== domain.challenge || judged.domain.method !== domain.method)
      throw new AppError('domain_not_verified');
    if (!naming.ok && (parts.mustBind || (await readMerchant(tx, merchantId)).require_payee_binding))
      throw domainProofFailed(naming.details);
    const found = { binding: naming.ok ? ('payee' as const) : ('domain' as const), resolver: parts.resolver };
    return recordEvidence(tx, act, principal, judged, input, found);
  });
}

interface Judged {
  recipient: RecipientRow;
  version: VersionRow;
  domain: VerifiedDomain;
}

/** Lookups first, then the payee's version, then every other obstacle. */
async function judge(
  sql: Sql,
  merchantId: string,
  recipient: RecipientRow | undefined,
  input: VerifyInput,
  domain: VerifiedDomain | AppError,
): Promise<Judged> {
  if (!recipient) throw notFound();
  const version = await selectVersion(sql, merchantId, recipient.recipient_id, input.recipient_version_id);
  if (!version) throw notFound();
  if (recipient.version !== input.version) throw versionConflict(recipient.version);
  refuseArchived(recipient);
  if (version.status === 'superseded') throw cannotBecome(version, 'verified');
  if (domain instanceof AppError) throw domain;
  return { recipient, version, domain };
}

/** An unverified domain is reported only after everything that comes before it. */
function orUnverified(looking: Promise<VerifiedDomain>): Promise<VerifiedDomain | AppError> {
  return looking.catch((fault: unknown) => {
    if (fault instanceof AppError && fault.code === 'domain_not_verified') return fault;
    throw fault;
  });
}

async function recordEvidence(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  { recipient, version, domain }: Judged,
  input: VerifyInput,
  { binding, resolver }: { binding: PayeeBinding; resolver: string },
): Promise<VerifiedVersion> {
  const { merchantId } = principal;
  const proved = {
    type: input.type,
    domain: domain.domain,
    method: domain.method,
    verified_at: act.now.toISOString(),
    binding,
  };
  const evidence = await insertEvidence(tx, {
    evidence_id: act.newId('evd'),
    recipient_version_id: version.recipient_version_id,
    merchant_id: merchantId,
    type: input.type,
    source_id: domain.domainId,
    domain: domain.domain,
    method: domain.method,
    binding,
    evidence_digest: evidenceDigest({ ...version, ...proved }),
    found: domain.challenge,
    resolver,
    created_at: act.now,
    expires_at: addMs(act.now, EVIDENCE_LIFE_MS),
  });
  const verified = await markVerified(tx, merchantId, version.recipient_version_id, binding, act.now);
  await audit(tx, act, principal, merchantId, 'recipient.version_verified', recipient.recipient_id, {
    recipient_version_id: version.recipient_version_id,
    evidence_id: evidence.evidence_id,
    evidence_digest: evidence.evidence_digest,
    domain: evidence.domain,
    method: evidence.method,
    binding,
  });
  return { evidence, recipient, version: verified ?? version };
}

export function cannotBecome({ status }: VersionRow, to: VersionRow['status']): AppError {
  return impossibleMove([status, to], allowedNext('recipient_version', status, 'merchant'));
}
