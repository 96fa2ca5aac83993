import { ERRORS } from '@payassent/protocol';
import { surfaceOf } from '@payassent/protocol/api';
import { isUnavailable } from '../db/faults.ts';
import { AppError } from '../errors.ts';
import { JSON_TYPE, PROBLEM_TYPE, prefersProblem } from './accept.ts';

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

/** The only place that writes an error. Whatever is not ours becomes `internal_error`, without its text. */
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

/** RFC 9110: every 401 says how to authenticate. RFC 9728: clients of MCP find the rest from there. */
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
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'FST_ERR_BAD_URL')
    return new AppError('invalid_json', { message: 'The request is malformed.' });
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
