/** The only source of time. Tests pass one they can move. */
export interface Clock {
  now(): Date;
  /** How far it is ahead of the machine's. */
  offsetMs?(): number;
  /** Called with the time that the database read between two values of `performance.now()`. */
  follow?(time: Date, fromMs: number, untilMs: number): void;
}

/**
 * The database's time: what expires, lapses or takes effect does so at one moment, however wrong the clock of a process
 * is, and whatever sets it meanwhile. Between two readings of the database's clock the monotonic clock counts; until
 * the first reading, starting at the machine's time.
 */
export function databaseClock(): Clock {
  let startMs = Date.now() - performance.now();
  const nowMs = () => Math.floor(startMs + performance.now());
  return {
    now: () => new Date(nowMs()),
    offsetMs: () => nowMs() - Date.now(),
    // The database read its clock at some moment of the round trip: within that span, this clock counts as right.
    follow(time, fromMs, untilMs) {
      startMs = Math.min(Math.max(startMs, time.getTime() - untilMs), time.getTime() - fromMs);
    },
  };
}

/** RFC 3339 UTC with milliseconds and `Z`: the only format of times that the service sends. */
export function toTimestamp(time: Date): string {
  return time.toISOString();
}

export function toTimestampOrNull(time: Date | null | undefined): string | null {
  return time ? time.toISOString() : null;
}

export function addMs(time: Date, durationMs: number): Date {
  return new Date(time.getTime() + durationMs);
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
