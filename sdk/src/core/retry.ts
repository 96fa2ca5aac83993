import { ApiError } from '../errors/api-error.ts';
import { NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors/transport.ts';
import type { Call } from './call.ts';

const FIRST_DELAY_MS = 250;
const LONGEST_OWN_DELAY_MS = 8000;

/** Calls that do no harm when they arrive twice: reads, settings, removals, changes of a stated version, keyed creates. */
export function isRepeatable(call: Call): boolean {
  switch (call.method) {
    case 'GET':
    case 'PUT':
    case 'DELETE':
      return true;
    case 'PATCH':
      return typeof (call.body as { version?: unknown } | undefined)?.version === 'number';
    case 'POST':
      return call.idempotencyKey !== undefined;
  }
}

/** No answer at all, too many calls, or a service that is away for a moment. Nothing else passes by waiting. */
export function isPassing(
  error: unknown,
): error is ApiError | NetworkError | TimeoutError | UnexpectedAnswerError {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  if (error instanceof ApiError || error instanceof UnexpectedAnswerError)
    return error.httpStatus === 429 || error.httpStatus === 503;
  return false;
}

/**
 * Doubles from try to try, with half of it left to chance so that clients that failed together do not come back
 * together. What the service asks for is always waited in full, with the chance on top; undefined when that is longer
 * than the client may wait.
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  longestMs: number,
  random: () => number,
): number | undefined {
  const ceiling = Math.min(LONGEST_OWN_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const own = Math.round(ceiling / 2 + (random() * ceiling) / 2);
  const asked =
    error instanceof ApiError || error instanceof UnexpectedAnswerError ? error.retryAfterMs : undefined;
  if (asked === undefined) return Math.min(own, longestMs);
  return asked > longestMs ? undefined : asked + Math.min(own, 1000);
}

/** Between 0 and 1, from the client's own source of randomness. */
export function fraction(randomBytes: (length: number) => Uint8Array): number {
  const [high = 0, low = 0] = randomBytes(2);
  return (high * 256 + low) / 65_536;
}
