import { UsageError } from './command.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `500`, `500ms`, `30s`, `5m` or `1h` as milliseconds. */
export function durationMs(option: string, text: string): number {
  const [, digits, unit = 'ms'] = /^([0-9]{1,9})(ms|s|m|h)?$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`--${option} is a duration such as 500ms, 30s or 5m`);
  return Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** A whole number within bounds. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`--${option} is a whole number from ${least} to ${most}`);
  return value;
}
