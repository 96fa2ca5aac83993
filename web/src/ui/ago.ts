const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How long ago, in its largest whole unit: “2 hours ago”. */
export function ago(moment: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - new Date(moment).getTime()) / 1000);
  const [unit, length] = STEPS.find(([, step]) => seconds >= step) ?? ['second', 1];
  return WORDS.format(-Math.floor(seconds / length), unit);
}
