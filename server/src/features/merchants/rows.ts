import type { DomainMethod, DomainStatus, MerchantStatus } from '@payassent/protocol';

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
