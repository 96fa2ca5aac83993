export type { ApiErrorCode, DetailsOf, KnownDetails, PayeeExpectation } from './api-error.ts';
export { ApiError, type ApiFailure } from './api-error.ts';
export { isApiError, isPayAssentError, type PayAssentFailure } from './guards.ts';
export {
  CallError,
  CreateInterruptedError,
  NetworkError,
  PayAssentError,
  TimeoutError,
  TransportError,
  UnexpectedAnswerError,
} from './transport.ts';
export {
  ChangePendingError,
  EventGapError,
  NotApprovedError,
  SecondOwnerNeededError,
  WaitTimeoutError,
  type WebhookRefusal,
  WebhookVerificationError,
} from './waiting.ts';
