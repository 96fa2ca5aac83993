import type { RowName } from '../arguments.ts';
import type { Bench } from '../bench.ts';
import type { Ratio } from '../report/model.ts';
import { ratios, summarize } from '../statistics.ts';

interface Cpu {
  service: number | undefined;
  database: number | undefined;
}

export interface Comparison {
  row: RowName;
  what: string;
  limit: string;
  reach: number | null;
  isExtra?: boolean;
  ours: readonly number[];
  limits: readonly number[];
  cpu?: Cpu;
  limitCpu?: Cpu;
}

export function record(bench: Bench, comparison: Comparison): Ratio {
  const { row, what, limit, reach, ours, limits } = comparison;
  const ratio: Ratio = {
    row,
    what,
    limit,
    reach,
    isExtra: comparison.isExtra ?? false,
    ours: summarize(ours),
    limitRate: summarize(limits),
    ratio: summarize(ratios(ours, limits)),
    serviceCpuMs: comparison.cpu?.service,
    databaseCpuMs: comparison.cpu?.database,
    limitCpuMs: comparison.limitCpu?.service,
    limitDatabaseCpuMs: comparison.limitCpu?.database,
  };
  bench.report.ratios.push(ratio);
  const { median, min, max } = ratio.ratio;
  const verdict = reach === null ? '' : median >= reach ? `, reaches ${reach}` : `, MISSES ${reach}`;
  bench.say(
    `  ${what}: ${Math.round(ratio.ours.median)}/s against ${Math.round(ratio.limitRate.median)}/s = ` +
      `${median.toFixed(2)} × (${min.toFixed(2)}–${max.toFixed(2)})${verdict}`,
  );
  return ratio;
}

/** The medians of what the legs of one comparison used. */
export function medianCpu(
  legs: readonly { serviceCpuMsPerCall: number | undefined; databaseCpuMsPerCall: number | undefined }[],
): Cpu {
  const median = (values: (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? undefined : summarize(known).median;
  };
  return {
    service: median(legs.map((leg) => leg.serviceCpuMsPerCall)),
    database: median(legs.map((leg) => leg.databaseCpuMsPerCall)),
  };
}
