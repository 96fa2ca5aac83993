import { fractionDigits, toBaseUnits } from '@payassent/protocol';
import { locale } from '../texts/language.ts';

/*
 * Counts and shares, in the regional format of the reader. Amounts of money are never formatted here: they are shown
 * digit for digit as pinned, with a point, in every language. A customer signs the approval over that text, other
 * devices and receipts show the same, and 1.234 is not the same sum everywhere.
 */
const COUNT = new Intl.NumberFormat(locale);
const SHARE = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

export function countWords(count: number): string {
  return COUNT.format(count);
}

/** A share of 1 as a percentage: “62.5%”. */
export function percentWords(share: number): string {
  return SHARE.format(share);
}

export function decimalWords(value: number, digits: number): string {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, fixed).format(value);
}

/** How much of the whole a part is, in percent with one digit; exact until the very last step. */
export function percentOf(part: string, whole: string): number {
  const digits = Math.max(fractionDigits(part), fractionDigits(whole));
  const partUnits = toBaseUnits(part, digits) ?? 0n;
  const wholeUnits = toBaseUnits(whole, digits) ?? 0n;
  if (wholeUnits === 0n) return 0;
  const perMille = (partUnits * 1000n) / wholeUnits;
  return Math.min(Number(perMille), 1000) / 10;
}
