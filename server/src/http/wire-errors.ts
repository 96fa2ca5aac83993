import type { Surface } from '@payassent/protocol/api';
import { isUnavailable } from '../db/faults.ts';
import { AppError } from '../errors.ts';

export interface WireError {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** The only place that writes an error. Whatever is not ours becomes `internal_error`, without its text. */
export function toWireError(error: unknown, surface: Surface, requestId: string, now: Date): WireError {
  const known = toAppError(error);
  const headers = { ...known.headers };
  if (known.code === 'unavailable' && !headers['retry-after']) headers['retry-after'] = '1';
  return {
    status: known.httpStatus,
    headers,
    body: surface === 'first' ? first(known, requestId) : second(known, requestId, now),
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
