/**
 * Money as exact decimal text. Nothing here ever becomes a floating point number: sums are made of BigInt units.
 *
 * A *decimal* may be zero ("0", "0.00"); an *amount* is a positive decimal of at most 335 characters, as a
 * caller may send it. Computed results carry no trailing zeros.
 */
export const AMOUNT_MAX_LENGTH = 335;
/** For JSON Schema: the grammar plus "at least one non-zero digit". */
export const AMOUNT_PATTERN = '^(?=[0-9.]*[1-9])(0|[1-9][0-9]*)(\\.[0-9]+)?$';
/** A decimal that may be zero, as the service computes it. */
export const DECIMAL_PATTERN = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$';

const DECIMAL = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

export function isAmount(value: unknown): value is string {
  return isDecimal(value) && value.length <= AMOUNT_MAX_LENGTH && /[1-9]/.test(value);
}

/** Digits after the point as written: "1.50" has two. */
export function fractionDigits(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

/** Counts digits as written, so "1.50" does not fit an asset with one decimal although its value would. */
export function fitsPrecision(decimal: string, decimals: number): boolean {
  return fractionDigits(decimal) <= decimals;
}

export function normaliseDecimal(decimal: string): string {
  requireDecimal(decimal);
  if (!decimal.includes('.')) return decimal;
  let end = decimal.length;
  while (decimal.charAt(end - 1) === '0') end -= 1;
  return decimal.slice(0, decimal.charAt(end - 1) === '.' ? end - 1 : end);
}

export function isZeroDecimal(decimal: string): boolean {
  requireDecimal(decimal);
  return !/[1-9]/.test(decimal);
}

export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const a = normaliseDecimal(left);
  const b = normaliseDecimal(right);
  if (a === b) return 0;
  const wholeA = wholePart(a);
  const wholeB = wholePart(b);
  if (wholeA.length !== wholeB.length) return wholeA.length < wholeB.length ? -1 : 1;
  // Equal length before the point, so text order is numeric order; a point sorts below every digit.
  return a < b ? -1 : 1;
}

export function addDecimals(left: string, right: string): string {
  const scale = commonScale(left, right);
  return fromBaseUnits(unitsAt(left, scale) + unitsAt(right, scale), scale);
}

export function multiplyDecimal(decimal: string, factor: bigint): string {
  const scale = fractionDigits(decimal);
  return fromBaseUnits(unitsAt(decimal, scale) * factor, scale);
}

/** Undefined when the result would be negative: there is no negative money here. */
export function subtractDecimals(left: string, right: string): string | undefined {
  const scale = commonScale(left, right);
  const difference = unitsAt(left, scale) - unitsAt(right, scale);
  return difference < 0n ? undefined : fromBaseUnits(difference, scale);
}

/** What is left of a limit; "0" when more is used than the limit allows. */
export function subtractDecimalsOrZero(left: string, right: string): string {
  return subtractDecimals(left, right) ?? '0';
}

export function minDecimal(first: string, ...others: string[]): string {
  let smallest = normaliseDecimal(first);
  for (const other of others) {
    if (compareDecimals(other, smallest) < 0) smallest = normaliseDecimal(other);
  }
  return smallest;
}

/** Undefined when the decimal is finer than the asset: nothing is ever rounded. */
export function toBaseUnits(decimal: string, decimals: number): bigint | undefined {
  const shortest = normaliseDecimal(decimal);
  const missing = decimals - fractionDigits(shortest);
  if (missing < 0) return undefined;
  return BigInt(shortest.replace('.', '') + '0'.repeat(missing));
}

export function fromBaseUnits(units: bigint, decimals: number): string {
  if (units < 0n) throw new RangeError('fromBaseUnits: base units are never negative');
  const digits = units.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return normaliseDecimal(decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`);
}

function requireDecimal(text: string): void {
  if (!isDecimal(text)) throw new RangeError('not an exact decimal');
}

function wholePart(decimal: string): string {
  const point = decimal.indexOf('.');
  return point < 0 ? decimal : decimal.slice(0, point);
}

function commonScale(left: string, right: string): number {
  return Math.max(fractionDigits(left), fractionDigits(right));
}

/** How many units of 10^-scale; the decimal is never finer than that. */
function unitsAt(decimal: string, scale: number): bigint {
  requireDecimal(decimal);
  return BigInt(decimal.replace('.', '') + '0'.repeat(scale - fractionDigits(decimal)));
}
