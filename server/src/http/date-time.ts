/**
 * RFC 3339 to the letter, with any number of fraction digits; `Date` reads them to the millisecond. Leap seconds are no
 * times that it could keep.
 */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export function isDateTime(text: string): boolean {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (year === undefined) return false;
  return (
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month))
  );
}

/** The last day of a month is the one before the first of the next. Years below 100 need more than the constructor. */
function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
