const PRECISE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** To the second: steps follow each other within seconds. */
export function PreciseMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {PRECISE.format(new Date(at))}
    </time>
  );
}
