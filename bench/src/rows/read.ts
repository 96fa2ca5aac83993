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

/** One request read, and one page polled, against the framework answering the same bytes from memory. */
export async function measureRead(bench: Bench, ground: Ground, stored: number): Promise<void> {
  const service = await serviceOn(bench, ground);
  const sources = { read: await reads(ground, stored), poll: await polls(ground) };
  const limit = 'a bare Fastify route that answers the same body from memory';
  for (const [name, source] of Object.entries(sources)) {
    const bare = startBare(bench.disposal);
    const { port } = await bare.ask({ body: await bodyOf(service.port, source.requests[0] ?? '') });
    const legs: Leg[] = [];
    await warmUp(bench, service, source);
    await warmUp(bench, { port, pid: bare.pid }, source);
    const taken = await takeTurns(bench.settings.rounds, {
      ours: async () => {
        const leg = await callLeg(bench, service.port, service.pid, source);
        legs.push(leg);
        return leg.ratePerS;
      },
      bare: async () => (await callLeg(bench, port, bare.pid, source)).ratePerS,
    });
    record(bench, {
      row: 'read',
      what: name === 'read' ? 'read one request' : 'poll events, one found',
      limit,
      reach: 0.5,
      ours: taken.ours,
      limits: taken.bare,
      cpu: medianCpu(legs),
    });
    if (name === 'read') await drawInFlight(bench, source, service, { port, pid: bare.pid });
    await bare.end();
  }
  await service.stop();
}

async function drawInFlight(
  bench: Bench,
  source: Source,
  service: { port: number; pid: number },
  bare: { port: number; pid: number },
): Promise<void> {
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
