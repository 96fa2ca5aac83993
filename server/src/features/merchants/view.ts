import {
  type Domain,
  type DomainChallenge,
  DomainSchema,
  type Merchant,
  MerchantSchema,
} from '@payassent/protocol/records';
import { toTimestamp } from '../../lib/clock.ts';
import { type Stored, viewOf } from '../record.ts';
import { challengeRecordName, challengeUrl } from './challenge.ts';

export interface MerchantRow extends Stored<Merchant> {
  /** By the host. */
  suspended_at: Date | null;
}

/** The state of the daily lookup of a verified domain. */
export interface DomainWatch {
  /** The last lookup, when it found for certain that the challenge is absent. */
  absent_at: Date | null;
  /** How long it has been absent for certain. */
  absent_ms: number;
  /** The days of absence at the last notification of the team. */
  absence_told: number;
}

export interface DomainRow extends DomainWatch, Stored<Domain> {
  merchant_id: string;
  challenge: string;
  challenge_expires_at: Date;
}

export const merchantView = viewOf(MerchantSchema);

export const domainView = viewOf(DomainSchema);

/** Both methods are shown; the record's own one is checked. */
export function challengeView(row: DomainRow): DomainChallenge {
  return {
    method: row.method,
    dns: { type: 'TXT', name: challengeRecordName(row.domain), value: row.challenge },
    https: { url: challengeUrl(row.domain), body: row.challenge },
    expires_at: toTimestamp(row.challenge_expires_at),
  };
}
