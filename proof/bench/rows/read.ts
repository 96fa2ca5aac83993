import type { BareRoute } from '../bare/jobs.ts';
import {
  type Bench,
  bodyOf,
  callLeg,
  type Ground,
  type Leg,
  polls,
  reads,
  serviceOn,
  startBare,
  warmUp,
} from '../bench.ts';
import type { Source } from '../load/jobs.ts';
import { takeTurns } from '../statistics.ts';
import { medianCpu, record } from './compare.ts';

const IN_FLIGHT_CURVE = [1, 2, 4, 8, 16, 32, 64, 128];

const LIMITS = {
  select:
    'a bare Fastify route that selects one stored row by its primary key, prepared, and answers the same body',
  memory: 'a bare Fastify route that answers the same body from memory',
};
const NAMES = { read: 'read one request', poll: 'poll events, one found' } as const;

/**
 * One request read, and one page polled. The fair limit is a route that does the least a read can do, which is to look up
 * one row; the framework answering from memory says how much of a read is HTTP.
 */
export async function measureRead(bench: Bench, ground: Ground, stored: number): Promise<void> {
  const service = await serviceOn(bench, ground);
  const sources = { read: await reads(ground, stored), poll: await polls(ground) };
  for (const what of ['read', 'poll'] as const) {
    const source = sources[what];
    const body = await bodyOf(service.port, source.requests[0] ?? '');
    const memory = await startRoute(bench, { body });
    const select = await startRoute(bench, { body, selects: { target: ground.database.target, what } });
    const legs = { ours: [] as Leg[], select: [] as Leg[], memory: [] as Leg[] };
    for (const place of [service, memory, select]) await warmUp(bench, place, source);
    const rate = async ({ port, pid }: Place, taken: Leg[]) => {
      const leg = await callLeg(bench, port, pid, source);
      taken.push(leg);
      return leg.ratePerS;
    };
    const taken = await takeTurns(bench.settings.rounds, {
      ours: () => rate(service, legs.ours),
      select: () => rate(select, legs.select),
      memory: () => rate(memory, legs.memory),
    });
    for (const limit of ['select', 'memory'] as const)
      record(bench, {
        row: 'read',
        what: limit === 'select' ? NAMES[what] : `${NAMES[what]}, against memory`,
        limit: LIMITS[limit],
        reach: limit === 'select' ? 1.3 : null,
        isExtra: limit === 'memory',
        ours: taken.ours,
        limits: taken[limit],
        cpu: medianCpu(legs.ours),
        limitCpu: medianCpu(legs[limit]),
      });
    if (what === 'read') await drawInFlight(bench, source, service, memory);
    for (const route of [memory, select]) await route.end();
  }
  await service.stop();
}

interface Place {
  port: number;
  pid: number;
}

async function startRoute(bench: Bench, job: BareRoute): Promise<Place & { end(): Promise<void> }> {
  const route = startBare(bench.disposal);
  const { port } = await route.ask(job);
  return { port, pid: route.pid, end: () => route.end() };
}

async function drawInFlight(bench: Bench, source: Source, service: Place, bare: Place): Promise<void> {
  const lines = [
    { name: 'read one request', points: [] as { x: number; y: number }[] },
    { name: 'bare Fastify', points: [] as { x: number; y: number }[] },
  ];
  for (const inFlight of bench.settings.isQuick ? [1, 16, 64] : IN_FLIGHT_CURVE) {
    for (const [index, { port, pid }] of [service, bare].entries()) {
      const leg = await callLeg(bench, port, pid, source, { inFlight, legMs: bench.settings.legMs / 2 });
      lines[index]?.points.push({ x: inFlight, y: leg.ratePerS });
    }
  }
  bench.report.curves.push({
    file: 'read-by-in-flight.svg',
    title: 'Reads a second by calls in flight',
    x: 'calls in flight',
    y: 'reads a second',
    isLogarithmic: true,
    lines,
  });
}
