import {
  type AgentPaymentStatus,
  type DomainMethod,
  ERRORS,
  type ErrorCode,
  type Issue,
  isErrorCode,
  type Network,
  type OperatorRole,
  type PayeeChangeWay,
  type PaymentRequestStatus,
  type PolicyThreshold,
  type ProofFault,
  type RecipientStatus,
  type Scope,
} from '@payassent/protocol';
import type { HitlDetails } from '../aliases.ts';
import type { CreatePaymentRequestInput } from '../contract.ts';
import { CallError, type CallFacts } from './transport.ts';

/** The details of the payee that a create may expect; on a mismatch nothing is created. */
export type PayeeExpectation = NonNullable<CreatePaymentRequestInput['expect']>;

/** The `details` of errors, for the codes that define them. */
export interface KnownDetails {
  /** Which earlier requests for the same amount to the same payee there are, newest first. */
  possible_duplicate: {
    requests: { request_id: string; status: PaymentRequestStatus; created_at: string }[];
  };
  /** The record of the key, and the members of the body that differ from the first one. */
  idempotency_key_reused: { request_id?: string; changed?: string[] };
  /** The expected and the actual details of the payee. */
  expectation_mismatch: { expected: PayeeExpectation; actual: PayeeExpectation };
  /** The status of the record that another device has moved; absent when the decision alone differs. */
  status_conflict: { status?: PaymentRequestStatus | AgentPaymentStatus };
  /** The limit; the open change, if there is one. */
  limit_reached: { limit?: number; change_id?: string };
  /** Why the payee accepts no payment now. */
  recipient_not_active: { status?: RecipientStatus; recipient_id?: string };
  /** What the service accepts instead. */
  network_not_enabled: { network: Network; enabled_networks: Network[] };
  /** The scope that is missing, those that were refused, or that a wallet has seen the token. */
  insufficient_scope: {
    required_scope?: Scope;
    refused_scopes?: Scope[];
    allowed_scopes?: Scope[];
    reason?: 'shared_token';
  };
  /** The role that is needed. */
  insufficient_role: { required_role: OperatorRole };
  /** The error of the proof, and the service's clock if the time is wrong. */
  proof_invalid: { reason: ProofFault; server_time?: string };
  /** The error of the passkey's response. */
  passkey_invalid: { reason: string };
  /** The part of the signed statement that does not match. */
  decision_signature_invalid: { reason: string };
  /** The domain that lacks a proof, or the status of its proof. */
  domain_not_verified: { domain_id?: string; domain?: string; status?: string };
  /** What was queried, found and expected. */
  domain_proof_failed: {
    method: DomainMethod;
    looked_up: { type: 'TXT'; name: string } | { url: string };
    expected: string;
    found: string[] | { http_status: number; body: string } | null;
    reason: string;
    explanation: string;
  };
  /** When the evidence expired. */
  evidence_expired: { expires_at?: string };
  /** The attempt and its result. */
  endpoint_verification_failed: {
    delivery_id?: string;
    error_class?: string | null;
    http_status?: number | null;
  };
  /** The policy that is active instead. */
  policy_conflict: { active_policy_id: string };
  /** The field or the environment that refers to more than the test network. */
  phase_0_mainnet_disabled: { field?: string; environment?: string };
  /** The version that the record has now. */
  version_conflict: { current_version: number };
  /** The service's clock, to compare with the caller's. */
  assertion_clock_skew: { server_time: string };
  /** The record's status and the statuses it may move to. */
  invalid_status_transition: { from: string; to: string; allowed: string[] };
  /** The version to use instead, null when there is none. */
  recipient_version_not_active: { active_recipient_version_id: string | null };
  /** The thresholds that rejected the intent, and the amount that would pass. */
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

/** The service's error, as far as it could be parsed. */
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

/** The service responded with an error. Compare `code`: it narrows the type of `details`. */
export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends CallError {
  override readonly name = 'ApiError';
  override readonly code: Code;
  /** The code as the service sent it; differs from `code` only when that is `unknown_code`. */
  readonly serverCode: string;
  /** The HTTP status of the response. */
  readonly httpStatus: number;
  /** The id to quote to the host of the service. */
  readonly requestId: string | undefined;
  /** The first field with a problem, as a dotted path. */
  readonly field: string | undefined;
  /** Every problem of the request, 200 at most. */
  readonly issues: readonly Issue[];
  /** The number of problems that are not listed. */
  readonly moreIssues: number;
  /** More about this error; its members depend on `code`. */
  readonly details: DetailsOf<Code>;
  /** The pause that the service requests before a retry. */
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

  /** The recovery from the published table. */
  get recovery(): string | undefined {
    const { code }: { code: ApiErrorCode } = this;
    return code === 'unknown_code' ? undefined : ERRORS[code].recovery;
  }
}

/** `ApiError` as a union over its codes, so that comparing `code` narrows `details`. */
export type ApiFailure = { [Code in ApiErrorCode]: ApiError<Code> }[ApiErrorCode];

/** Rejected because a wallet has seen the connection token: the agent's private token would pass. */
export function isOfSharedToken({ code, details }: { code: string; details: object }): boolean {
  return code === 'insufficient_scope' && 'reason' in details && details.reason === 'shared_token';
}

export function apiFailure(refusal: Refusal, facts: CallFacts): ApiFailure {
  const code = isErrorCode(refusal.serverCode) ? refusal.serverCode : 'unknown_code';
  return new ApiError(code, refusal, facts) as ApiFailure;
}
