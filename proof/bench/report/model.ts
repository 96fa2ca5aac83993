import type { RowName } from '../arguments.ts';
import type { Latency } from '../load/jobs.ts';
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
  row: RowName;
  what: string;
  limit: string;
  /** What the ratio must reach; null where it is only reported. */
  reach: number | null;
  /** Beside the comparisons that were asked for. */
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

/** What something takes, beside how fast it is. */
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

export interface LatencyRow {
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
