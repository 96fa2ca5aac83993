export { ApiError, type ApiFailure } from './api-error.ts';
export { CallError, PayAssentError } from './base.ts';
export { CreateInterruptedError } from './create-error.ts';
export type { ApiErrorCode, DetailsOf, KnownDetails } from './details.ts';
export { isApiError, isPayAssentError, type PayAssentFailure } from './guards.ts';
export { NetworkError, TimeoutError, TransportError, UnexpectedAnswerError } from './transport.ts';
export {
  ChangePendingError,
  EventGapError,
  NotApprovedError,
  SecondOwnerNeededError,
  WaitTimeoutError,
} from './waiting.ts';
export { type WebhookRefusal, WebhookVerificationError } from './webhook-error.ts';
