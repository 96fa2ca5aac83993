import { ERRORS, type ErrorCode, type Issue, isRiskIssue } from '@countersign/protocol';

export interface AppErrorOptions {
  /** Replaces the table's meaning as the message; for facts that only this occurrence knows. */
  message?: string;
  field?: string;
  issues?: readonly Issue[];
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The one way to refuse a call. Status and default text come from the error table. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly httpStatus: number;
  readonly field: string | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(
      options.message ?? ERRORS[code].meaning,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'AppError';
    this.code = code;
    this.httpStatus = ERRORS[code].httpStatus;
    this.field = options.field ?? options.issues?.[0]?.field;
    this.issues = options.issues;
    this.details = options.details;
    this.headers = options.headers;
  }
}

/** Absent and foreign are one answer. */
export function notFound(): AppError {
  return new AppError('resource_not_found');
}

/** `risk_rejected` when nothing but risk was found, otherwise `validation_failed`; every issue is listed. */
export function invalid(issues: readonly Issue[]): AppError {
  const onlyRisk = issues.every((issue) => isRiskIssue(issue.code));
  const first = issues[0];
  const rest = issues.length - 1;
  const more = rest > 0 ? ` (and ${rest} more, see issues)` : '';
  const message = first ? `${first.message}${more}` : 'The request is not valid.';
  return new AppError(onlyRisk ? 'risk_rejected' : 'validation_failed', { message, issues });
}

export function refuseWhenInvalid(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalid(issues);
}

export function versionConflict(currentVersion: number): AppError {
  return new AppError('version_conflict', { details: { current_version: currentVersion } });
}
