import type { Summary } from '../statistics.ts';
import type { Ratio } from './model.ts';

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

export function verdictOf(ratio: Ratio): string {
  const reached = isReached(ratio);
  return reached === undefined ? '' : reached ? 'reached' : 'missed';
}
