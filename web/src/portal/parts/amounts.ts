import { fractionDigits, toBaseUnits } from '@payassent/protocol';

/** How much of the whole a part is, in percent with one digit; exact until the very last step. */
export function percentOf(part: string, whole: string): number {
  const digits = Math.max(fractionDigits(part), fractionDigits(whole));
  const partUnits = toBaseUnits(part, digits) ?? 0n;
  const wholeUnits = toBaseUnits(whole, digits) ?? 0n;
  if (wholeUnits === 0n) return 0;
  const perMille = (partUnits * 1000n) / wholeUnits;
  return Math.min(Number(perMille), 1000) / 10;
}
