import { CallError, type CallFacts } from './base.ts';

/** No usable answer came; the base of the three errors that say why. */
export abstract class TransportError extends CallError {
  /** Made by the SDK. */
  constructor(problem: string, facts: CallFacts, isUnknown = true) {
    super(`${facts.call}: ${problem}${repeatHint(facts)}`, facts, isUnknown);
  }
}

/** Says to the caller of a create what keeps it from asking for a second payment. */
export function repeatHint({ idempotencyKey }: CallFacts): string {
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
