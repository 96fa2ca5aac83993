import { ApiError, type ApiErrorCode, type ApiFailure } from './api-error.ts';
import {
  type CreateInterruptedError,
  type NetworkError,
  PayAssentError,
  type TimeoutError,
  type UnexpectedAnswerError,
} from './transport.ts';
import type {
  ChangePendingError,
  EventGapError,
  NotApprovedError,
  SecondOwnerNeededError,
  WaitTimeoutError,
  WebhookVerificationError,
} from './waiting.ts';

/** Every error of the SDK; comparing `code` narrows to the right one. */
export type PayAssentFailure =
  | ApiFailure
  | NetworkError
  | TimeoutError
  | UnexpectedAnswerError
  | CreateInterruptedError
  | EventGapError
  | WaitTimeoutError
  | NotApprovedError
  | SecondOwnerNeededError
  | ChangePendingError
  | WebhookVerificationError;

/** Whether something thrown comes from the SDK. Afterwards `code` narrows. */
export function isPayAssentError(error: unknown): error is PayAssentFailure {
  return error instanceof PayAssentError;
}

/** Whether the service responded with an error, and with this code when one is named. */
export function isApiError(error: unknown): error is ApiFailure;
export function isApiError<Code extends ApiErrorCode>(error: unknown, code: Code): error is ApiError<Code>;
export function isApiError(error: unknown, code?: ApiErrorCode): boolean {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
