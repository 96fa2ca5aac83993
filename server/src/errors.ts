import { ERRORS, type ErrorCode, type Issue, isRiskIssue, MAX_ISSUES } from '@payassent/protocol';

export interface AppErrorOptions {
  /** Replaces the table's meaning as the message; for details of this occurrence. */
  message?: string;
  field?: string;
  issues?: readonly Issue[];
  /** How many issues there are next to the listed ones. */
  moreIssues?: number;
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The one way to reject a call. Status and default text come from the error table. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly httpStatus: number;
  readonly field: string | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly moreIssues: number;
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
    this.moreIssues = options.moreIssues ?? 0;
    this.details = options.details;
    this.headers = options.headers;
  }
}

/** An absent and a foreign record give the same response. */
export function notFound(): AppError {
  return new AppError('resource_not_found');
}

/*
 * A response never grows with its request: a caller gets enough issues to work on, and the count of the rest. Without
 * these bounds a request of 64 KiB produced a response of 4 MB.
 */
const MAX_ISSUES_BYTES = 36 * 1024;
const MAX_PATH_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 600;

/** `risk_rejected` when nothing but risk was found, otherwise `validation_failed`. */
export function invalid(issues: readonly Issue[]): AppError {
  const onlyRisk = issues.every((issue) => isRiskIssue(issue.code));
  const listed = listIssues(issues);
  const first = listed[0];
  const rest = issues.length - 1;
  const more = rest > 0 ? ` (and ${rest} more, see issues)` : '';
  const message = first ? `${first.message}${more}` : 'The request is not valid.';
  return new AppError(onlyRisk ? 'risk_rejected' : 'validation_failed', {
    message,
    issues: listed,
    moreIssues: issues.length - listed.length,
  });
}

function listIssues(issues: readonly Issue[]): Issue[] {
  const listed: Issue[] = [];
  let bytes = 0;
  for (const { field, code, message } of issues.slice(0, MAX_ISSUES)) {
    const issue = { field: shortPath(field), code, message: shorten(message, MAX_MESSAGE_LENGTH) };
    bytes += Buffer.byteLength(JSON.stringify(issue));
    if (bytes > MAX_ISSUES_BYTES) break;
    listed.push(issue);
  }
  return listed;
}

/** Paths consist of names that the caller chose; the middle of a long one is cut. */
export function shortPath(path: string): string {
  return shorten(path, MAX_PATH_LENGTH);
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor((length - 1) / 3);
  const head = length - 1 - tail;
  return `${text.slice(0, head)}…${text.slice(-tail)}`.replace(/\p{Cs}/gu, '');
}

export function refuseWhenInvalid(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalid(issues);
}

/** By the host; the merchant's sessions, agents, keys and connections all get this error. */
export function merchantSuspended(): AppError {
  return new AppError('merchant_not_active', {
    message:
      'The host of this service has suspended this organization. Only the host can lift that: contact it.',
  });
}

/** A suspension of an agent or its merchant by the host. */
export interface AgentSuspension {
  suspended_by_installation_at: Date | null;
  merchant_suspended_at: Date | null;
}

export function refuseSuspendedAgent(agent: AgentSuspension): void {
  if (agent.merchant_suspended_at) throw merchantSuspended();
  if (agent.suspended_by_installation_at)
    throw new AppError('agent_not_active', {
      message: 'The host of this service has suspended this agent. Only the host can lift that: contact it.',
    });
}

export function versionConflict(currentVersion: number): AppError {
  return new AppError('version_conflict', { details: { current_version: currentVersion } });
}

/** The cap is reached. */
export function limitReached(message: string, limit?: number): AppError {
  return new AppError('limit_reached', { message, ...(limit === undefined ? {} : { details: { limit } }) });
}

/** The record cannot get the status that the call wants; `allowed` lists the possible ones. */
export function impossibleMove(
  [from, to]: readonly [from: string, to: string],
  allowed: readonly string[],
  message?: string,
): AppError {
  const details = { from, to, allowed };
  return new AppError(
    'invalid_status_transition',
    message === undefined ? { details } : { message, details },
  );
}

/** A startup failure whose message is all that a person needs. */
export class StartError extends Error {}

/** The call is valid and needs a second owner: the pipeline stores it for one. */
export class SecondOwnerNeeded extends Error {}

/** A host's command cannot do what was requested. */
export class OperatorError extends StartError {}

/** The database is unavailable; the message contains what happened and the fix. */
export class DatabaseError extends Error {}

/** A backup cannot be made or used; the message gives the reason and the fix. */
export class BackupError extends OperatorError {}
