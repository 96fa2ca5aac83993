import type { Latency } from '../../stage/load/jobs.ts';
import type { Summary } from '../statistics.ts';

export interface Machine {
  cores: number;
  processor: string;
  arch: string;
  platform: string;
  memoryGiB: number;
  node: string;
  postgres: string;
  settings: Record<string, string>;
  /** One insert and its commit, alone, on this disk. */
  commitMs: number;
}

/** One comparison: ours and its limit, round by round. */
export interface Ratio {
  row: string;
  what: string;
  limit: string;
  /** What the ratio must reach; null where it is only reported. */
  reach: number | null;
  /** Next to the comparisons that were requested. */
  isExtra: boolean;
  ours: Summary;
  limitRate: Summary;
  ratio: Summary;
  serviceCpuMs?: number | undefined;
  databaseCpuMs?: number | undefined;
  /** The same of the limit, where it is a process like the service. */
  limitCpuMs?: number | undefined;
  limitDatabaseCpuMs?: number | undefined;
}

/** What something takes, next to how fast it is. */
export interface Cost {
  what: string;
  value: number;
  unit: string;
  digits: number;
  /** Null where it is only reported. */
  target: { below: number } | { atLeast: number } | null;
}

export interface Curve {
  file: string;
  title: string;
  x: string;
  y: string;
  isLogarithmic: boolean;
  lines: { name: string; points: { x: number; y: number }[] }[];
}

interface LatencyRow {
  what: string;
  ratePerS: number;
  latency: Latency;
}

export interface ProfileRow {
  what: string;
  share: number;
}

export interface Report {
  date: string;
  isQuick: boolean;
  rounds: number;
  legSeconds: number;
  stored: number;
  machine: Machine;
  loadAverage: { before: number; after: number };
  minutes: number;
  ratios: Ratio[];
  costs: Cost[];
  curves: Curve[];
  latencies: LatencyRow[];
  resources: { what: string; value: string }[];
  profiles: { what: string; parts: ProfileRow[]; functions: ProfileRow[] }[];
  growth: { what: string; value: string; how: string }[];
  /** Rows that could not be measured, and why. */
  faults: string[];
}

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

/** Rounded as it is printed: no one should read 1.00 and "missed". */
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
