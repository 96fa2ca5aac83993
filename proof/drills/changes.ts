import type { Attempt } from '../torture/run/history.ts';

const BEFORE_MS = 5_000;

/** A change that the service has acknowledged. */
export const isChange = ({ method, answer }: Attempt): boolean =>
  method !== 'GET' && answer !== undefined && answer.status < 300;

/** The longest time between two acknowledged changes, from just before the fault on. */
export function longestGap(attempts: readonly Attempt[], causedAt: number): number {
  const times = attempts
    .filter(isChange)
    .map(({ answer }) => answer?.at ?? 0)
    .filter((at) => at > causedAt - BEFORE_MS)
    .toSorted((a, b) => a - b);
  return times.slice(1).reduce((longest, at, index) => Math.max(longest, at - (times[index] ?? at)), 0);
}
