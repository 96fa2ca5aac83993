import { UsageError } from './command.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** What a timer can hold, in whole hours: a longer one would fire at once. */
const LONGEST_TIMER_MS = 596 * UNIT_MS.h;

/** `500`, `500ms`, `30s`, `5m` or `1h` as milliseconds; for a timer unless a longer time is allowed. */
export function durationMs(option: string, text: string, mostMs = LONGEST_TIMER_MS): number {
  const [, digits, unit = 'ms'] = /^([0-9]{1,9})(ms|s|m|h)?$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`--${option} is a duration such as 500ms, 30s or 5m`);
  const durationInMs = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (durationInMs > mostMs) throw new UsageError(`--${option} is at most ${mostMs / UNIT_MS.h}h`);
  return durationInMs;
}

/** A whole number within bounds. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`--${option} is a whole number from ${least} to ${most}`);
  return value;
}
