import { charts } from '../../texts/portal/charts.ts';
import { decimalWords } from '../../ui/numbers.ts';

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? upper) + upper) / 2;
}

const texts = charts.approval;

export function durationWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return texts.underASecond;
  if (seconds < 60) return texts.seconds(decimalWords(seconds, seconds < 10 ? 1 : 0));
  if (seconds < 3_600) return texts.minutes(decimalWords(seconds / 60, 1));
  return texts.hours(decimalWords(seconds / 3_600, 1));
}
