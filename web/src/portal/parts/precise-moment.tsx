import { locale } from '../../texts/language.ts';

const PRECISE = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

/** To the second: steps follow each other within seconds. */
export function PreciseMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {PRECISE.format(new Date(at))}
    </time>
  );
}
