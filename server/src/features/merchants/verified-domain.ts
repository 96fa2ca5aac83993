import type { DomainMethod } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import { findDomain, holdDomain } from './domain-sql.ts';
import type { DomainRow } from './view.ts';

export interface VerifiedDomain {
  domainId: string;
  domain: string;
  method: DomainMethod;
  challenge: string;
  verifiedAt: Date;
}

/** A verified domain of this tenant; 404 when it has none with this id, 409 when it is not verified (any more). */
export async function findVerifiedDomain(
  sql: Sql,
  merchantId: string,
  domainId: string,
): Promise<VerifiedDomain> {
  return asVerified(await findDomain(sql, merchantId, domainId));
}

/** The same inside a transaction: until its end the domain can neither be deleted nor move to another tenant. */
export async function holdVerifiedDomain(
  tx: Tx,
  merchantId: string,
  domainId: string,
): Promise<VerifiedDomain> {
  return asVerified(await holdDomain(tx, merchantId, domainId));
}

/**
 * Whether the domain still supports evidence that was made with it: held by this tenant, verified, and without a break
 * since the evidence was made. It cannot be lost until the end of the transaction.
 */
export async function standsBehind(
  tx: Tx,
  merchantId: string,
  evidence: { source_id: string; created_at: Date },
): Promise<boolean> {
  const row = await holdDomain(tx, merchantId, evidence.source_id);
  return row?.status === 'verified' && row.verified_at !== null && row.verified_at <= evidence.created_at;
}

function asVerified(row: DomainRow | undefined): VerifiedDomain {
  if (!row) throw notFound();
  if (row.status !== 'verified' || !row.verified_at) {
    throw new AppError('domain_not_verified', {
      message: `${row.domain} is ${row.status}: publish its challenge and verify the domain first.`,
      details: { domain_id: row.domain_id, status: row.status },
    });
  }
  return {
    domainId: row.domain_id,
    domain: row.domain,
    method: row.method,
    challenge: row.challenge,
    verifiedAt: row.verified_at,
  };
}
