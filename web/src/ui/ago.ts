import { locale } from '../texts/language.ts';

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const WORDS = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
const SHORT = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' });

/** How long ago, in its largest whole unit: “2 hours ago”. */
export function ago(moment: string, now: Date): string {
  return distance(Math.min(0, new Date(moment).getTime() - now.getTime()));
}

/** Before or after now, where there is little room: “2 hr. ago”, “in 59 min.”. */
export function relative(moment: string, now: Date): string {
  return distance(new Date(moment).getTime() - now.getTime(), SHORT);
}

function distance(ms: number, words = WORDS): string {
  const seconds = Math.abs(ms) / 1000;
  const [unit, length] = STEPS.find(([, step]) => seconds >= step) ?? ['second', 1];
  return words.format((ms < 0 ? -1 : 1) * Math.floor(seconds / length), unit);
}
