/** Everything that the SDK itself throws about a call. `code` tells which. */
export abstract class PayAssentError extends Error {
  /** Names the error for a program. */
  abstract readonly code: string;
}

/** About one call: which, and how often it was tried. */
export interface CallFacts {
  /** Method and published path. */
  call: string;
  /** Attempts that were made, this one included. */
  attempts: number;
  /** True when an earlier attempt ended without an answer or with 503, so that its effect may already be there. */
  earlierAttemptUnknown: boolean;
  /** The key of a create. */
  idempotencyKey?: string;
}

/** About one call that failed; the base of every error that says why. */
export abstract class CallError extends PayAssentError {
  /** Method and published path. */
  readonly call: string;
  /** Attempts that were made. */
  readonly attempts: number;
  /** True when an earlier attempt ended without an answer or with 503: a conflict may be with one's own change. */
  readonly earlierAttemptUnknown: boolean;
  /** The key that a create was sent with. Repeat the create with it: another key could ask for a second payment. */
  readonly idempotencyKey: string | undefined;
  /** True when this attempt or an earlier one may have been carried out, false when the service stored nothing. */
  readonly mayBeStored: boolean;

  /** Made by the SDK. */
  constructor(message: string, facts: CallFacts, isUnknown: boolean) {
    super(message);
    this.call = facts.call;
    this.attempts = facts.attempts;
    this.earlierAttemptUnknown = facts.earlierAttemptUnknown;
    this.idempotencyKey = facts.idempotencyKey;
    this.mayBeStored = facts.earlierAttemptUnknown || isUnknown;
  }
}
