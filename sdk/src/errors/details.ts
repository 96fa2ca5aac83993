import type { ErrorCode, PayeeChangeWay, PolicyThreshold } from '@payassent/protocol';
import type { HitlDetails } from '../aliases.ts';

/** What `details` of an error carries, for the codes that promise something. */
export interface KnownDetails {
  /** The version that the record has now. */
  version_conflict: { current_version: number };
  /** The service's clock, to compare with one's own. */
  assertion_clock_skew: { server_time: string };
  /** Where the record stands and where it may go. */
  invalid_status_transition: { from: string; to: string; allowed: string[] };
  /** The version to use instead, null when there is none. */
  recipient_version_not_active: { active_recipient_version_id: string | null };
  /** Which thresholds refused the intent, and how much would pass. */
  HC_NC_5_HITL_REQUIRED: HitlDetails;
  /** When a passkey is accepted again after a sign-in by mail; or what lets a changed payee be activated. */
  step_up_required: { possible_from?: string; ways?: PayeeChangeWay[] };
  /** The thresholds that are still empty. */
  policy_incomplete: { missing: PolicyThreshold[] };
}

/** A code of the published table, or `unknown_code` for one that is newer than this SDK. */
export type ApiErrorCode = ErrorCode | 'unknown_code';

/** `details` of an error with this code. */
export type DetailsOf<Code extends ApiErrorCode> = Code extends keyof KnownDetails
  ? KnownDetails[Code]
  : Record<string, unknown>;
