import type { DomainMethod, DomainStatus, MerchantStatus } from '@countersign/protocol';

export interface MerchantRow {
  merchant_id: string;
  name: string;
  status: MerchantStatus;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface DomainRow {
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
