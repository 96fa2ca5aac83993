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
}
