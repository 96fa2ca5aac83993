import { ApiError, type ApiFailure } from './api-error.ts';
import { CountersignError } from './base.ts';
import type { ApiErrorCode } from './details.ts';
import type { NetworkError, TimeoutError, UnexpectedAnswerError } from './transport.ts';
import type { EventGapError, NotApprovedError, WaitTimeoutError } from './waiting.ts';
import type { WebhookVerificationError } from './webhook-error.ts';

/** Every error of the SDK; comparing `code` narrows to the right one. */
export type CountersignFailure =
  | ApiFailure
  | NetworkError
  | TimeoutError
  | UnexpectedAnswerError
  | EventGapError
  | WaitTimeoutError
  | NotApprovedError
  | WebhookVerificationError;

/** Whether something thrown comes from the SDK. Afterwards `code` narrows. */
export function isCountersignError(error: unknown): error is CountersignFailure {
  return error instanceof CountersignError;
}

/** Whether the service answered with an error, and with this code when one is named. */
export function isApiError(error: unknown): error is ApiFailure;
export function isApiError<Code extends ApiErrorCode>(error: unknown, code: Code): error is ApiError<Code>;
export function isApiError(error: unknown, code?: ApiErrorCode): boolean {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
