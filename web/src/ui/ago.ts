import { locale } from '../texts/language.ts';

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const WORDS = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });

/** How long ago, in its largest whole unit: “2 hours ago”. */
export function ago(moment: string, now: Date): string {
  return distance(Math.min(0, new Date(moment).getTime() - now.getTime()));
}

/** Before or after now: “2 hours ago”, “in 59 minutes”. */
export function relative(moment: string, now: Date): string {
  return distance(new Date(moment).getTime() - now.getTime());
}

function distance(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  const [unit, length] = STEPS.find(([, step]) => seconds >= step) ?? ['second', 1];
  return WORDS.format((ms < 0 ? -1 : 1) * Math.floor(seconds / length), unit);
}
