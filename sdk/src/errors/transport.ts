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

/** No usable answer came; the base of the three errors that say why. */
export abstract class TransportError extends CallError {
  /** Made by the SDK. */
  constructor(problem: string, facts: CallFacts, isUnknown = true) {
    super(`${facts.call}: ${problem}${repeatHint(facts)}`, facts, isUnknown);
  }
}

/** Says to the caller of a create what keeps it from asking for a second payment. */
function repeatHint({ idempotencyKey }: CallFacts): string {
  return idempotencyKey === undefined ? '' : `. Repeat it with the same key (error.idempotencyKey)`;
}

/** No answer came: the connection failed or was cut. Whether the service acted is unknown. */
export class NetworkError extends TransportError {
  override readonly name = 'NetworkError';
  override readonly code = 'network_error';
  /** The runtime's word for it, for example `ECONNRESET`, when it has one. */
  readonly reason: string | undefined;

  // The runtime's own error is not kept: some quote the whole address, with its query.
  /** Made by the SDK. */
  constructor(cause: unknown, facts: CallFacts) {
    const reason = reasonOf(cause);
    super(`no answer${reason === undefined ? '' : ` (${reason})`}`, facts);
    this.reason = reason;
  }
}

/** No complete answer came within `timeoutMs`. Whether the service acted is unknown. */
export class TimeoutError extends TransportError {
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
  /** How long the attempt was given. */
  readonly timeoutMs: number;

  /** Made by the SDK. */
  constructor(timeoutMs: number, facts: CallFacts) {
    super(`no complete answer within ${timeoutMs} ms`, facts);
    this.timeoutMs = timeoutMs;
  }
}

/** Something answered, but not in the way of this service: a proxy, a captive portal, a wrong address. */
export class UnexpectedAnswerError extends TransportError {
  override readonly name = 'UnexpectedAnswerError';
  override readonly code = 'unexpected_answer';
  /** The HTTP status of the answer; 0 when the runtime hides it. */
  readonly httpStatus: number;
  /** How long the answer asks to wait, when it does. */
  readonly retryAfterMs: number | undefined;

  /** Made by the SDK. */
  constructor(
    httpStatus: number,
    problem: string,
    facts: CallFacts,
    retryAfterMs: number | undefined = undefined,
  ) {
    super(`answered ${httpStatus} ${problem}`, facts, httpStatus !== 429);
    this.httpStatus = httpStatus;
    this.retryAfterMs = retryAfterMs;
  }
}

function reasonOf(cause: unknown): string | undefined {
  for (let error = cause, depth = 0; depth < 5 && typeof error === 'object' && error !== null; depth += 1) {
    const { code, cause: next } = error as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^[A-Za-z_]{1,60}$/.test(code)) return code;
    error = next;
  }
  return undefined;
}

/**
 * Something other than the answer ended a create: an aborted signal, the store, the key that signs, or the collection of
 * a rotated token. `cause` is what it was.
 */
export class CreateInterruptedError extends CallError {
  override readonly name = 'CreateInterruptedError';
  override readonly code = 'create_interrupted';

  /** Made by the SDK. */
  constructor(cause: unknown, facts: CallFacts) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${facts.call} was interrupted: ${reason}${repeatHint(facts)}`, facts, false);
    this.cause = cause;
  }
}
