import type { DerivedFacts, PayeeBinding } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { EvidenceRow, VersionRow } from './view.ts';

/** The caller has locked the payee, so that numbers are consecutive. */
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
       memo, memo_policy, contract, issuer, decimals, chain_id, created_at)
    values (${place.versionId}, ${place.recipientId}, ${merchantId}, ${place.number}, 'created', ${facts.name},
            ${facts.rail}, ${facts.network}, ${facts.asset}, ${facts.address}, ${facts.memo},
            ${facts.memo_policy ?? 'fixed'}, ${facts.contract},
            ${facts.issuer}, ${facts.decimals}, ${facts.chain_id}, ${now})
    returning *`;
  return rows[0];
}

export async function selectVersion(db: Sql, merchantId: string, recipientId: string, versionId: string) {
  const rows = await db<VersionRow[]>`
    select * from recipient_versions
    where recipient_version_id = ${versionId} and recipient_id = ${recipientId} and merchant_id = ${merchantId}`;
  return rows[0];
}

export async function selectNewestVersion(db: Sql, merchantId: string, recipientId: string) {
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

/** The first evidence verifies the version; later evidence may only prove more or less. */
export async function markVerified(
  tx: Tx,
  merchantId: string,
  versionId: string,
  binding: PayeeBinding,
  now: Date,
): Promise<VersionRow | undefined> {
  const rows = await tx<VersionRow[]>`
    update recipient_versions
    set status = 'verified', verified_at = coalesce(verified_at, ${now}), binding = ${binding}
    where recipient_version_id = ${versionId} and merchant_id = ${merchantId}
      and ${mayBecome(tx, 'recipient_version', 'verified', 'merchant', { orIs: true })}
    returning *`;
  return rows[0];
}

/** Every active version but this one. */
export async function supersedeOthers(tx: Tx, merchantId: string, recipientId: string, versionId: string) {
  const rows = await tx<VersionRow[]>`
    update recipient_versions set status = 'superseded'
    where recipient_id = ${recipientId} and merchant_id = ${merchantId}
      and ${mayBecome(tx, 'recipient_version', 'superseded', 'merchant')}
      and recipient_version_id <> ${versionId}
    returning *`;
  return rows[0];
}

/** Of an archived or suspended payee: pending requests that pin it show so. Returns the payee's evidence. */
export async function retireActive(
  tx: Tx,
  merchantId: string,
  recipientId: string,
  now: Date,
): Promise<EvidenceRow[]> {
  return tx<EvidenceRow[]>`
    with retired as (
      update recipient_versions set retired_at = ${now}
      where recipient_id = ${recipientId} and merchant_id = ${merchantId} and status = 'active'
      returning evidence_id
    )
    select e.* from retired r join recipient_evidence e on e.evidence_id = r.evidence_id
    where e.merchant_id = ${merchantId}`;
}

/** A suspended version that is still the active one becomes valid again, on the new evidence. */
export async function markActive(
  tx: Tx,
  merchantId: string,
  versionId: string,
  evidence: Pick<EvidenceRow, 'evidence_id' | 'binding'>,
  now: Date,
): Promise<VersionRow | undefined> {
  const rows = await tx<VersionRow[]>`
    update recipient_versions
    set status = 'active', activated_at = ${now}, evidence_id = ${evidence.evidence_id}, binding = ${evidence.binding},
        suspended_at = null
    where recipient_version_id = ${versionId} and merchant_id = ${merchantId}
      and (${mayBecome(tx, 'recipient_version', 'active', 'merchant')} or (status = 'active' and suspended_at is not null))
    returning *`;
  return rows[0];
}

export async function insertEvidence(tx: Tx, evidence: EvidenceRow): Promise<EvidenceRow> {
  const rows = await tx<[EvidenceRow]>`insert into recipient_evidence ${tx(evidence)} returning *`;
  return rows[0];
}

export async function selectEvidence(db: Sql, merchantId: string, evidenceId: string) {
  const rows = await db<EvidenceRow[]>`
    select * from recipient_evidence where evidence_id = ${evidenceId} and merchant_id = ${merchantId}`;
  return rows[0];
}
