import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';

/** The pause after the first attempt, the second, and so on. After the last there is none. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;
/** A failure this long after the first of an unbroken run of failures disables the endpoint. */
export const GIVE_UP_AFTER_MS = 120 * HOUR_MS;
/** How long a delivery waits for an endpoint that is not active. */
export const PATIENCE_MS = 72 * HOUR_MS;

const JITTER = 0.2;

/**
 * From the end of attempt number `attempt` to the next one; undefined when that was the last. The receiver's
 * `Retry-After` counts between one and two times the plain delay, so that no receiver can hasten or park a delivery at
 * will.
 */
export function retryDelayMs(
  attempt: number,
  askedMs: number | undefined,
  random: Random,
): number | undefined {
  const baseMs = RETRY_DELAYS_MS[attempt - 1];
  if (baseMs === undefined) return undefined;
  const unit = randomUnit(random);
  if (askedMs === undefined) return Math.round(baseMs * (1 - JITTER + 2 * JITTER * unit));
  // The jitter only adds here: the next attempt is never before the receiver's `Retry-After`.
  if (askedMs <= baseMs) return Math.round(baseMs * (1 + JITTER * unit));
  return Math.min(askedMs, 2 * baseMs);
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\x20-\x7e]{10,40}$/;

/** `Retry-After` in milliseconds from now; undefined when it is absent or invalid. */
export function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * SECOND_MS, Number.MAX_SAFE_INTEGER);
  if (!HTTP_DATE.test(value)) return undefined;
  // The oldest of the three forms has no zone and means GMT like the others.
  const timeMs = Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`);
  return Number.isNaN(timeMs) ? undefined : Math.max(0, timeMs - now.getTime());
}

/** Uniform in [0, 1). */
function randomUnit(random: Random): number {
  const bytes = random.bytes(4);
  return Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32BE() / 2 ** 32;
}
