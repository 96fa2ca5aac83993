import {
  ERRORS,
  type ErrorCode,
  type Issue,
  isErrorCode,
  type PayeeChangeWay,
  type PolicyThreshold,
} from '@payassent/protocol';
import type { HitlDetails } from '../aliases.ts';
import { CallError, type CallFacts } from './transport.ts';

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

/** What the service said, as far as it could be read. */
export interface Refusal {
  httpStatus: number;
  serverCode: string;
  message: string;
  requestId: string | undefined;
  field: string | undefined;
  issues: Issue[];
  moreIssues: number;
  details: Record<string, unknown>;
  retryAfterMs: number | undefined;
}

/** The service answered with an error. Compare `code`: it narrows the type of `details`. */
export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends CallError {
  override readonly name = 'ApiError';
  override readonly code: Code;
  /** The code as the service sent it; differs from `code` only when that is `unknown_code`. */
  readonly serverCode: string;
  /** The HTTP status of the answer. */
  readonly httpStatus: number;
  /** What to quote to the operator of the service. */
  readonly requestId: string | undefined;
  /** The first field with a problem, as a dotted path. */
  readonly field: string | undefined;
  /** Every problem of the request at once, 200 at most. */
  readonly issues: readonly Issue[];
  /** How many problems there are beside the listed ones. */
  readonly moreIssues: number;
  /** More about this error; its members depend on `code`. */
  readonly details: DetailsOf<Code>;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;

  /** Made by the SDK. */
  constructor(code: Code, refusal: Refusal, facts: CallFacts) {
    super(refusal.message, facts, refusal.httpStatus >= 500);
    this.code = code;
    this.serverCode = refusal.serverCode;
    this.httpStatus = refusal.httpStatus;
    this.requestId = refusal.requestId;
    this.field = refusal.field;
    this.issues = refusal.issues;
    this.moreIssues = refusal.moreIssues;
    this.details = refusal.details as DetailsOf<Code>;
    this.retryAfterMs = refusal.retryAfterMs;
  }

  /** What to do about it, from the published table. */
  get recovery(): string | undefined {
    const { code }: { code: ApiErrorCode } = this;
    return code === 'unknown_code' ? undefined : ERRORS[code].recovery;
  }
}

/** `ApiError` as a union over its codes, so that comparing `code` narrows `details`. */
export type ApiFailure = { [Code in ApiErrorCode]: ApiError<Code> }[ApiErrorCode];

/** Refused because a wallet has seen the connection token: the agent's own would pass. */
export function isOfSharedToken({ code, details }: { code: string; details: object }): boolean {
  return code === 'insufficient_scope' && 'reason' in details && details.reason === 'shared_token';
}

export function apiFailure(refusal: Refusal, facts: CallFacts): ApiFailure {
  const code = isErrorCode(refusal.serverCode) ? refusal.serverCode : 'unknown_code';
  return new ApiError(code, refusal, facts) as ApiFailure;
}
