import type { DomainMethod, DomainStatus, MerchantStatus } from '@payassent/protocol';
import type { Domain, DomainChallenge, Merchant } from '@payassent/protocol/records';
import { toTimestamp, toTimestampOrNull } from '../../lib/clock.ts';
import { challengeRecordName, challengeUrl } from './challenge.ts';

export interface MerchantRow {
  merchant_id: string;
  name: string;
  status: MerchantStatus;
  require_payee_binding: boolean;
  four_eyes: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  /** By the operator of the installation. */
  suspended_at: Date | null;
}

/** How the daily look at a verified domain stands. */
export interface DomainWatch {
  /** The last look, when it found for certain that the challenge is gone. */
  absent_at: Date | null;
  /** How long it has been gone for certain. */
  absent_ms: number;
  /** After how many days of absence the operators were told last. */
  absence_told: number;
}

export interface DomainRow extends DomainWatch {
  domain_id: string;
  merchant_id: string;
  domain: string;
  method: DomainMethod;
  status: DomainStatus;
  challenge: string;
  challenge_expires_at: Date;
  created_at: Date;
  verified_at: Date | null;
}

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
