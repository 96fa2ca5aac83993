import { ERRORS } from '@payassent/protocol';
import { surfaceOf } from '@payassent/protocol/api';
import { isUnavailable } from '../db/faults.ts';
import { AppError } from '../errors.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export const MCP_PATH = '/mcp';
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

export interface WireError {
  status: number;
  headers: Record<string, string>;
  contentType: string;
  body: Record<string, unknown>;
}

/** The call that an error responds to. */
export interface FailedCall {
  baseUrl: string;
  /** Without the query. */
  path: string;
  accept: string | undefined;
  requestId: string;
  now: Date;
}

/** The only place that writes an error. Any foreign error becomes `internal_error`, without its text. */
export function toWireError(error: unknown, call: FailedCall): WireError {
  const known = toAppError(error);
  const headers = { ...known.headers };
  if (known.code === 'unavailable' && !headers['retry-after']) headers['retry-after'] = '1';
  if (known.httpStatus === 401) headers['www-authenticate'] = challenge(headers['www-authenticate'], call);
  const body =
    surfaceOf(call.path) === 'first' ? first(known, call.requestId) : second(known, call.requestId, call.now);
  const isProblem = prefersProblem(call.accept);
  return {
    status: known.httpStatus,
    headers,
    contentType: isProblem ? PROBLEM_TYPE : JSON_TYPE,
    body: isProblem ? { ...problem(known, call.baseUrl), ...body } : body,
  };
}

/** RFC 9110: every 401 names how to authenticate. RFC 9728: clients of MCP find the rest from there. */
function challenge(stated = 'Bearer', { baseUrl, path }: FailedCall): string {
  if (path !== MCP_PATH) return stated;
  const metadata = `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}${MCP_PATH}"`;
  return stated.includes('=') ? `${stated}, ${metadata}` : `${stated} ${metadata}`;
}

/** RFC 9457. */
function problem(error: AppError, baseUrl: string): Record<string, unknown> {
  return {
    type: `${baseUrl}/docs/errors#${error.code}`,
    title: ERRORS[error.code].meaning,
    status: error.httpStatus,
    detail: error.message,
  };
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) return new AppError('unavailable', { cause: error });
  return new AppError('internal_error', { cause: error });
}

function first(error: AppError, requestId: string): Record<string, unknown> {
  return {
    ok: false,
    error: {
      code: error.code,
      message: error.message,
      request_id: requestId,
      ...(error.field === undefined ? {} : { field: error.field }),
      ...(error.issues === undefined ? {} : { issues: error.issues }),
      ...moreIssues(error),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
}

function moreIssues({ moreIssues }: AppError): { more_issues?: number } {
  return moreIssues === 0 ? {} : { more_issues: moreIssues };
}

function second(error: AppError, requestId: string, now: Date): Record<string, unknown> {
  return {
    success: false,
    error: {
      code: error.code,
      message: error.message,
      details: {
        ...error.details,
        ...(error.issues === undefined ? {} : { issues: error.issues }),
        ...moreIssues(error),
      },
    },
    request_id: requestId,
    timestamp: now.toISOString(),
  };
}

/** Longer than any real client's; the rest is not read. */
const LONGEST_ACCEPT = 1_000;

/** Whether a caller prefers problem details (RFC 9457) to plain JSON. With equal or no preference: plain JSON. */
export function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const ranges = accept.slice(0, LONGEST_ACCEPT).toLowerCase().split(',').map(rangeOf);
  return weightOf('application/problem+json', ranges) > weightOf('application/json', ranges);
}

interface Range {
  type: string;
  weight: number;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const stated = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = stated === undefined ? 1 : Number(stated.slice(2));
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** The most specific range counts (RFC 9110). */
function weightOf(type: string, ranges: readonly Range[]): number {
  for (const wanted of [type, 'application/*', '*/*']) {
    const range = ranges.find((candidate) => candidate.type === wanted);
    if (range) return range.weight;
  }
  return 0;
}
