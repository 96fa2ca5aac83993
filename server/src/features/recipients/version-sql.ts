import type { DerivedFacts } from '@countersign/protocol';
import type { Sql, Tx } from '../../db/open.ts';
import type { EvidenceRow, VersionRow } from './view.ts';

/** The caller holds the Recipient, so that numbers follow each other. */
export async function insertVersion(
  tx: Tx,
  merchantId: string,
  place: { recipientId: string; versionId: string; number: number },
  facts: DerivedFacts & { name: string },
  now: Date,
): Promise<VersionRow> {
  const rows = await tx<[VersionRow]>`
    insert into recipient_versions
      (recipient_version_id, recipient_id, merchant_id, number, status, name, rail, network, asset, address,
       memo, contract, issuer, decimals, chain_id, created_at)
    values (${place.versionId}, ${place.recipientId}, ${merchantId}, ${place.number}, 'created', ${facts.name},
            ${facts.rail}, ${facts.network}, ${facts.asset}, ${facts.address}, ${facts.memo}, ${facts.contract},
            ${facts.issuer}, ${facts.decimals}, ${facts.chain_id}, ${now})
    returning *`;
  return rows[0];
}

export async function selectVersion(
  db: Sql,
  merchantId: string,
  recipientId: string,
  versionId: string,
): Promise<VersionRow | undefined> {
  const rows = await db<VersionRow[]>`
    select * from recipient_versions
    where recipient_version_id = ${versionId} and recipient_id = ${recipientId} and merchant_id = ${merchantId}`;
  return rows[0];
}

export async function selectNewestVersion(
  db: Sql,
  merchantId: string,
  recipientId: string,
): Promise<VersionRow | undefined> {
  const rows = await db<VersionRow[]>`
    select * from recipient_versions
    where recipient_id = ${recipientId} and merchant_id = ${merchantId} order by number desc limit 1`;
  return rows[0];
}

export async function selectVersions(
  db: Sql,
  merchantId: string,
  recipientId: string,
): Promise<VersionRow[]> {
  return db<VersionRow[]>`
    select * from recipient_versions
    where recipient_id = ${recipientId} and merchant_id = ${merchantId} order by number desc`;
}

/** The first evidence verifies the version; later evidence leaves it as it is. */
export async function markVerified(
  tx: Tx,
  merchantId: string,
  versionId: string,
  now: Date,
): Promise<VersionRow | undefined> {
  const rows = await tx<VersionRow[]>`
    update recipient_versions set status = 'verified', verified_at = ${now}
    where recipient_version_id = ${versionId} and merchant_id = ${merchantId} and status = 'created'
    returning *`;
  return rows[0];
}

export async function supersedeActive(
  tx: Tx,
  merchantId: string,
  recipientId: string,
): Promise<VersionRow | undefined> {
  const rows = await tx<VersionRow[]>`
    update recipient_versions set status = 'superseded'
    where recipient_id = ${recipientId} and merchant_id = ${merchantId} and status = 'active'
    returning *`;
  return rows[0];
}

export async function markActive(
  tx: Tx,
  merchantId: string,
  versionId: string,
  evidenceId: string,
  now: Date,
): Promise<VersionRow | undefined> {
  const rows = await tx<VersionRow[]>`
    update recipient_versions set status = 'active', activated_at = ${now}, evidence_id = ${evidenceId}
    where recipient_version_id = ${versionId} and merchant_id = ${merchantId} and status = 'verified'
    returning *`;
  return rows[0];
}

export async function insertEvidence(tx: Tx, evidence: EvidenceRow): Promise<EvidenceRow> {
  const rows = await tx<[EvidenceRow]>`insert into recipient_evidence ${tx(evidence)} returning *`;
  return rows[0];
}

export async function selectEvidence(
  db: Sql,
  merchantId: string,
  evidenceId: string,
): Promise<EvidenceRow | undefined> {
  const rows = await db<EvidenceRow[]>`
    select * from recipient_evidence where evidence_id = ${evidenceId} and merchant_id = ${merchantId}`;
  return rows[0];
}
