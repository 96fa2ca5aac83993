import type { SettlementState } from '@payassent/protocol';

/** A change of what the chain says about one record. */
export interface SettlementChange {
  merchantId: string;
  connectionId: string;
  recordId: string;
  state: SettlementState;
  /** Which change of this settlement it is. */
  number: number;
}
