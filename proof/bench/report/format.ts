import type { Summary } from '../statistics.ts';
import type { Cost, Ratio } from './model.ts';

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}

export function rangeOf({ min, max }: Summary): string {
  return `${min.toFixed(2)}–${max.toFixed(2)}`;
}

export function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

export function micros(valueMs: number | undefined): string {
  return valueMs === undefined ? '' : `${Math.round(valueMs * 1000)} µs`;
}

/** Rounded as it is printed: nobody should read 1.00 and "missed". */
export function isReached({ reach, ratio }: Ratio): boolean | undefined {
  return reach === null ? undefined : Number(ratio.median.toFixed(2)) >= reach;
}

export function isWithin({ target, value, digits }: Cost): boolean | undefined {
  if (target === null) return undefined;
  const printed = Number(value.toFixed(digits));
  return 'below' in target ? printed < target.below : printed >= target.atLeast;
}

export function verdictOf(reached: boolean | undefined): string {
  return reached === undefined ? '' : reached ? 'reached' : 'missed';
}

export function amountOf({ value, digits, unit }: Cost): string {
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}

export function targetOf({ target }: Cost): string {
  if (target === null) return 'reported';
  return 'below' in target ? `< ${target.below}` : `≥ ${target.atLeast}`;
}

export function costLine(cost: Cost): string {
  return `${cost.what}: ${amountOf(cost)} (${[targetOf(cost), verdictOf(isWithin(cost))].join(' ').trim()})`;
}
