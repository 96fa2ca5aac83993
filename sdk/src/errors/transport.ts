/** The base of every error that the SDK itself throws about a call. `code` identifies it. */
export abstract class PayAssentError extends Error {
  /** Names the error for a program. */
  abstract readonly code: string;
}

/** The failed call and its attempts. */
export interface CallFacts {
  /** Method and published path. */
  call: string;
  /** Attempts that were made, this one included. */
  attempts: number;
  /** True when an earlier attempt ended without a response, or with 500, 502, 503 or 504, so that its effect may already be there. */
  earlierAttemptUnknown: boolean;
  /** The key of a create. */
  idempotencyKey?: string;
}

/** About one call that failed; the base of every error that names a cause. */
export abstract class CallError extends PayAssentError {
  /** Method and published path. */
  readonly call: string;
  /** Attempts that were made. */
  readonly attempts: number;
  /**
   * True when an earlier attempt ended without a response, or with 500, 502, 503 or 504: a conflict may be with the
   * caller's own change.
   */
  readonly earlierAttemptUnknown: boolean;
  /** The key that a create was sent with. Repeat the create with it: another key could request a second payment. */
  readonly idempotencyKey: string | undefined;
  /**
   * True when this attempt or an earlier one may have been carried out; false when nothing was stored, and for every
   * read.
   */
  readonly mayBeStored: boolean;

  /** Made by the SDK. */
  constructor(message: string, facts: CallFacts, isUnknown: boolean) {
    super(message);
    this.call = facts.call;
    this.attempts = facts.attempts;
    this.earlierAttemptUnknown = facts.earlierAttemptUnknown;
    this.idempotencyKey = facts.idempotencyKey;
    this.mayBeStored = !facts.call.startsWith('GET ') && (facts.earlierAttemptUnknown || isUnknown);
  }
}

/** No usable response arrived; the base of the three errors that name the cause. */
export abstract class TransportError extends CallError {
  /** Made by the SDK. */
  constructor(problem: string, facts: CallFacts, isUnknown = true) {
    super(`${facts.call}: ${problem}${repeatHint(facts)}`, facts, isUnknown);
  }
}

/** Tells the caller of a create how to avoid requesting a second payment. */
function repeatHint({ idempotencyKey }: CallFacts): string {
  return idempotencyKey === undefined ? '' : `. Repeat it with the same key (error.idempotencyKey)`;
}

/** No response arrived: the connection failed or was cut. Whether the service acted is unknown. */
export class NetworkError extends TransportError {
  override readonly name = 'NetworkError';
  override readonly code = 'network_error';
  /** The runtime's code, for example `ECONNRESET`, if it has one. */
  readonly reason: string | undefined;

  // The runtime's own error is not kept: some quote the whole address, with its query.
  /** Made by the SDK. */
  constructor(cause: unknown, facts: CallFacts) {
    const reason = reasonOf(cause);
    super(`no response${reason === undefined ? '' : ` (${reason})`}`, facts);
    this.reason = reason;
  }
}

/** No complete response arrived within `timeoutMs`. Whether the service acted is unknown. */
export class TimeoutError extends TransportError {
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
  /** The time limit of the attempt. */
  readonly timeoutMs: number;

  /** Made by the SDK. */
  constructor(timeoutMs: number, facts: CallFacts) {
    super(`no complete response within ${timeoutMs} ms`, facts);
    this.timeoutMs = timeoutMs;
  }
}

/** The response is not from this service: a proxy, a captive portal, a wrong address. */
export class UnexpectedAnswerError extends TransportError {
  override readonly name = 'UnexpectedAnswerError';
  override readonly code = 'unexpected_answer';
  /** The HTTP status of the response; 0 when the runtime hides it. */
  readonly httpStatus: number;
  /** The pause that the response requests before a retry, if any. */
  readonly retryAfterMs: number | undefined;

  /** Made by the SDK. */
  constructor(
    httpStatus: number,
    problem: string,
    facts: CallFacts,
    retryAfterMs: number | undefined = undefined,
  ) {
    super(`returned ${httpStatus} ${problem}`, facts, httpStatus !== 429);
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
 * Something other than the response ended a create: an aborted signal, the store, the key that signs, or the collection
 * of a rotated token. `cause` is the original error.
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
