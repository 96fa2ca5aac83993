import { ERRORS, type Issue, isErrorCode } from '@payassent/protocol';
import { CallError, type CallFacts } from './base.ts';
import type { ApiErrorCode, DetailsOf } from './details.ts';

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
