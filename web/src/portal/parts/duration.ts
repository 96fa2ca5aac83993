import { charts } from '../../texts/portal/charts.ts';

const texts = charts.approval;

export function durationWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return texts.underASecond;
  if (seconds < 60) return texts.seconds(seconds.toFixed(seconds < 10 ? 1 : 0));
  if (seconds < 3_600) return texts.minutes((seconds / 60).toFixed(1));
  return texts.hours((seconds / 3_600).toFixed(1));
}
