import { ERRORS } from '@payassent/protocol';
import { ApiError, type ApiErrorCode } from '../errors/api-error.ts';
import { NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors/transport.ts';
import { sleep } from './clock.ts';
import type { Settings } from './settings.ts';

type Passing = ApiError | NetworkError | TimeoutError | UnexpectedAnswerError;

/** Too many calls, or a proxy whose service is away. */
const PASSING_STATUSES: readonly number[] = [429, 502, 503, 504];

/**
 * No response at all, too many calls, a service that is temporarily unavailable, or a failure of the service that the
 * error table marks as safe to retry. No other error passes by waiting.
 */
export function isPassing(error: unknown): error is Passing {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  if (error instanceof UnexpectedAnswerError) return PASSING_STATUSES.includes(error.httpStatus);
  if (!(error instanceof ApiError)) return false;
  if (PASSING_STATUSES.includes(error.httpStatus)) return true;
  const { code }: { code: ApiErrorCode } = error;
  return code !== 'unknown_code' && error.httpStatus >= 500 && ERRORS[code].safeToRetry;
}

/** Whether the failed attempt may have been carried out. */
export function leavesUnknown(error: Passing): boolean {
  if (error instanceof ApiError) return error.httpStatus >= 500;
  return !(error instanceof UnexpectedAnswerError) || error.httpStatus !== 429;
}

const FIRST_DELAY_MS = 250;
const LONGEST_OWN_DELAY_MS = 8000;

/**
 * Doubles from attempt to attempt; half of it is random, so that clients that failed together do not retry together. A
 * delay that the service requests is always waited in full, plus the random part; undefined when that is longer than
 * the client may wait.
 */
export function retryDelayMs(
  { randomBytes }: Pick<Settings, 'randomBytes'>,
  error: unknown,
  attempt: number,
  longestMs: number,
): number | undefined {
  const ceiling = Math.min(LONGEST_OWN_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const own = Math.round(ceiling / 2 + (fraction(randomBytes) * ceiling) / 2);
  const asked =
    error instanceof ApiError || error instanceof UnexpectedAnswerError ? error.retryAfterMs : undefined;
  if (asked === undefined) return Math.min(own, longestMs);
  return asked > longestMs ? undefined : asked + Math.min(own, 1000);
}

/** Between 0 and 1, from the client's own source of randomness. */
function fraction(randomBytes: (length: number) => Uint8Array): number {
  const [high = 0, low = 0] = randomBytes(2);
  return (high * 256 + low) / 65_536;
}

/** How a wait polls: it retries until a poll succeeds or fails for good. */
export type Insist = <T>(look: () => Promise<T>) => Promise<T>;

interface Patience {
  /** Ends the wait, and its pauses. */
  signal: AbortSignal | undefined;
  /** When the awaited record expires; a failure after that, or a pause until after that, fails the wait. */
  endsAt?: string | undefined;
  /** Called with each poll that failed. */
  onFailure?: (error: unknown) => void;
}

/** Calls have been retried a few times before a wait sees the failure, so its pauses begin longer than theirs. */
const FIRST_PAUSE = 3;

/** Clients whose address is right: the service itself has responded there. */
const reached = new WeakSet<Settings>();

export function noteReached(settings: Settings): void {
  reached.add(settings);
}

/**
 * For waits, which have their own time limit: a restart of the service, or of a proxy in front of it, ends none of
 * them. Once the service has responded to any call of the client, every other responder is an intermediary.
 */
export function createInsist(settings: Settings, { signal, endsAt = '', onFailure }: Patience): Insist {
  const endMs = Date.parse(endsAt) || Number.POSITIVE_INFINITY;
  const mayPass = (error: unknown): error is Passing =>
    isPassing(error) || (reached.has(settings) && error instanceof UnexpectedAnswerError);
  return async (look) => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await look();
      } catch (error) {
        const restMs = endMs - settings.clock.now();
        if (!mayPass(error) || restMs < 0) throw error;
        onFailure?.(error);
        const delayMs = retryDelayMs(settings, error, FIRST_PAUSE + failures, restMs);
        if (delayMs === undefined) throw error;
        settings.onRetry({ call: error.call, attempt: error.attempts, delayMs, code: error.code });
        await sleep(settings.clock, delayMs, signal);
      }
    }
  };
}
