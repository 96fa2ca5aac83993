import type { Source } from '../../stage/load/jobs.ts';
import { say } from '../../stage/report.ts';
import { type Bench, callLeg, IN_FLIGHT, type LegOptions, type Place } from '../bench.ts';
import type { Ratio } from '../report/model.ts';
import { isReached, rangeOf, times, verdictOf, whole } from '../report/model.ts';
import { ratios, summarize, takeTurns } from '../statistics.ts';

interface Used {
  serviceCpuMsPerCall: number | undefined;
  databaseCpuMsPerCall: number | undefined;
}

/** One of those that take turns: measures a stretch, and remembers what each used. */
export interface Side {
  rate(): Promise<number>;
  used: Used[];
}

/** A source may be spent by one stretch: then it is made again for the next. */
export function calling(bench: Bench, place: Place, sourceOf: () => Source | Promise<Source>): Side {
  const used: Used[] = [];
  return {
    used,
    async rate() {
      const leg = await callLeg(bench, place, await sourceOf());
      used.push(leg);
      return leg.ratePerS;
    },
  };
}

interface Comparison<Name> {
  what: string;
  limit: string;
  reach: number | null;
  isExtra?: boolean;
  ours: Name;
  against: Name;
}

/** Runs all sides in turns, then records each comparison between two of them; returns the rates. */
export async function compare<Name extends string>(
  bench: Bench,
  row: string,
  sides: Record<Name, Side>,
  comparisons: readonly Comparison<Name>[],
  rounds = bench.settings.rounds,
): Promise<Record<Name, number[]>> {
  const taken = await takeTurns(rounds, sides);
  for (const { what, limit, reach, isExtra = false, ours, against } of comparisons) {
    const [cpu, limitCpu] = [medianCpu(sides[ours].used), medianCpu(sides[against].used)];
    const ratio: Ratio = {
      row,
      what,
      limit,
      reach,
      isExtra,
      ours: summarize(taken[ours]),
      limitRate: summarize(taken[against]),
      ratio: summarize(ratios(taken[ours], taken[against])),
      serviceCpuMs: cpu.service,
      databaseCpuMs: cpu.database,
      limitCpuMs: limitCpu.service,
      limitDatabaseCpuMs: limitCpu.database,
    };
    bench.report.ratios.push(ratio);
    const rates = `${whole(ratio.ours.median)}/s against ${whole(ratio.limitRate.median)}/s`;
    say(
      `  ${what}: ${rates} = ${times(ratio.ratio.median)} (${rangeOf(ratio.ratio)}) ${verdictOf(isReached(ratio))}`,
    );
  }
  return taken;
}

/** The medians of what the stretches of one side used. */
function medianCpu(used: readonly Used[]): { service: number | undefined; database: number | undefined } {
  const median = (values: (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? undefined : summarize(known).median;
  };
  return {
    service: median(used.map((leg) => leg.serviceCpuMsPerCall)),
    database: median(used.map((leg) => leg.databaseCpuMsPerCall)),
  };
}

const IN_FLIGHT_CURVE = [1, 2, 4, 8, 16, 32, 64, 128];

/** Rates of some places by how many calls are in flight. */
export async function drawInFlight(
  bench: Bench,
  curve: { file: string; title: string; y: string },
  lines: readonly { name: string; place: Place; sourceOf(): Source }[],
): Promise<void> {
  const drawn = lines.map(({ name }) => ({ name, points: [] as { x: number; y: number }[] }));
  const options: LegOptions = { legMs: bench.settings.legMs * 0.7 };
  for (const inFlight of bench.settings.isQuick ? [1, 16, IN_FLIGHT] : IN_FLIGHT_CURVE)
    for (const [index, { name, place, sourceOf }] of lines.entries()) {
      const { ratePerS, latency } = await callLeg(bench, place, sourceOf(), { ...options, inFlight });
      drawn[index]?.points.push({ x: inFlight, y: ratePerS });
      say(`  ${name}, ${inFlight} in flight: ${Math.round(ratePerS)}/s, p99 ${latency.p99Ms.toFixed(1)} ms`);
    }
  bench.report.curves.push({ ...curve, x: 'calls in flight', isLogarithmic: true, lines: drawn });
}
