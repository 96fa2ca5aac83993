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

export interface DomainRow extends DomainWatch, Stored<Domain> {
  merchant_id: string;
  challenge: string;
  challenge_expires_at: Date;
}

export const merchantView = viewOf(MerchantSchema);

export const domainView = viewOf(DomainSchema);

/** Both ways are shown; the record's own method is the one that is checked. */
export function challengeView(row: DomainRow): DomainChallenge {
  return {
    method: row.method,
    dns: { type: 'TXT', name: challengeRecordName(row.domain), value: row.challenge },
    https: { url: challengeUrl(row.domain), body: row.challenge },
    expires_at: toTimestamp(row.challenge_expires_at),
  };
}
