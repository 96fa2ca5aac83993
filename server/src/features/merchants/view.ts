import type { Domain, DomainChallenge, Merchant } from '@payassent/protocol/records';
import { toTimestamp, toTimestampOrNull } from '../../lib/clock.ts';
import { challengeRecordName, challengeUrl } from './challenge.ts';
import type { DomainRow, MerchantRow } from './rows.ts';

export function merchantView(row: MerchantRow): Merchant {
  return {
    merchant_id: row.merchant_id,
    name: row.name,
    status: row.status,
    require_payee_binding: row.require_payee_binding,
    four_eyes: row.four_eyes,
    version: row.version,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}

export function domainView(row: DomainRow): Domain {
  return {
    domain_id: row.domain_id,
    domain: row.domain,
    method: row.method,
    status: row.status,
    created_at: toTimestamp(row.created_at),
    verified_at: toTimestampOrNull(row.verified_at),
  };
}

/** Both ways are shown; the record's own method is the one that is checked. */
export function challengeView(row: DomainRow): DomainChallenge {
  return {
    method: row.method,
    dns: { type: 'TXT', name: challengeRecordName(row.domain), value: row.challenge },
    https: { url: challengeUrl(row.domain), body: row.challenge },
    expires_at: toTimestamp(row.challenge_expires_at),
  };
}
