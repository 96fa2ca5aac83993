/** The only source of time. Tests hand in one they can move. */
export interface Clock {
  now(): Date;
  /** How far it was moved from the machine's, in a dev world. */
  offsetMs?(): number;
}

export const systemClock: Clock = { now: () => new Date() };

/** RFC 3339 UTC with milliseconds and `Z`: the one form in which a time leaves the service. */
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
