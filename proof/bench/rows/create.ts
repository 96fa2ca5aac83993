import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  type Bench,
  callLeg,
  creates,
  type Ground,
  IN_FLIGHT,
  type Leg,
  serviceOn,
  warmUp,
} from '../bench.ts';
import { type Caller, listen, populate } from '../stage/population.ts';
import { fastest, takeTurns } from '../statistics.ts';
import { medianCpu, record } from './compare.ts';
import { createSome, noteLog } from './costs.ts';

const CONNECTIONS = [8, 16, 32, 64];
const LISTENING_MERCHANTS = 8;
const IN_FLIGHT_CURVE = [1, 2, 4, 8, 16, 32, 64, 128];

/**
 * Creates of merchants who listen, so that each writes its message and its delivery as well. The receiver takes the
 * first few and never answers: sending is another row, here the rows are written.
 */
export async function measureCreate(bench: Bench, ground: Ground): Promise<void> {
  const { sql, target } = ground.database;
  const { callers } = await populate(sql, 'listening', LISTENING_MERCHANTS);
  const { endpoints, closeReceiver } = await listenInVain(bench, ground, callers);
  const service = await serviceOn(bench, ground);
  const legs: Leg[] = [];
  const naive = async (
    form: 'correct' | 'inserts',
    heard: ReadonlyMap<string, string>,
    who: readonly Caller[],
  ) => {
    const { warmUpMs, legMs: durationMs } = bench.settings;
    const job = {
      kind: 'create',
      target,
      callers: who,
      endpoints: heard,
      form,
      warmUpMs,
      durationMs,
    } as const;
    const leg = async (connections: number) => (await bench.driver.ask({ ...job, connections })).ratePerS;
    const connections = await fastest(CONNECTIONS, leg);
    return () => leg(connections);
  };
  const ours = async (who: readonly Caller[]) => {
    const leg = await callLeg(bench, service.port, service.pid, creates(who));
    if (who === callers) legs.push(leg);
    return leg.ratePerS;
  };
  await warmUp(bench, service, creates(callers));
  const limits = {
    naive: await naive('correct', endpoints, callers),
    inserts: await naive('inserts', endpoints, callers),
    unheardNaive: await naive('correct', new Map(), ground.callers),
  };
  const taken = await takeTurns(bench.settings.rounds, {
    ours: () => ours(callers),
    unheard: () => ours(ground.callers),
    ...limits,
  });
  const row = 'create';
  const best = `with the best of ${CONNECTIONS.join(', ')} connections`;
  record(bench, {
    row,
    what: `create, ${IN_FLIGHT} in flight, with its webhook delivery`,
    limit: `bare driver: one statement that checks and inserts the row and its delivery, one commit each, ${best}`,
    reach: 1.2,
    ours: taken.ours,
    limits: taken.naive,
    cpu: medianCpu(legs),
  });
  record(bench, {
    row,
    what: 'the same against inserts that check nothing',
    limit: `bare driver: the same statement without credential, scope and payee checks, ${best}`,
    reach: null,
    isExtra: true,
    ours: taken.ours,
    limits: taken.inserts,
  });
  record(bench, {
    row,
    what: 'create where nobody listens',
    limit: `bare driver: check and insert the row alone, one commit each, ${best}`,
    reach: null,
    isExtra: true,
    ours: taken.unheard,
    limits: taken.unheardNaive,
  });
  for (const [what, who] of [
    ['create with its webhook delivery', callers],
    ['create where nobody listens', ground.callers],
  ] as const) {
    await noteLog(bench, ground, `log of a ${what}`, () => createSome(bench, ground, service, who));
  }
  await drawInFlight(bench, ground, service);
  await service.stop();
  await closeReceiver();
}

/** Endpoints of all these merchants at a receiver that takes requests and never answers. */
async function listenInVain(bench: Bench, ground: Ground, callers: readonly Caller[]) {
  const { sql } = ground.database;
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const closeReceiver = bench.disposal.add(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const endpoints = new Map<string, string>();
  for (const merchantId of new Set(callers.map((caller) => caller.merchantId)))
    endpoints.set(merchantId, await listen(sql, merchantId, `http://127.0.0.1:${port}/hook`));
  await sql`vacuum analyze webhook_endpoints`;
  return { endpoints, closeReceiver };
}

async function drawInFlight(
  bench: Bench,
  ground: Ground,
  service: { port: number; pid: number },
): Promise<void> {
  const points: { x: number; y: number }[] = [];
  const p99: { x: number; y: number }[] = [];
  for (const inFlight of bench.settings.isQuick ? [1, 16, 64] : IN_FLIGHT_CURVE) {
    const source = creates(ground.callers);
    const leg = await callLeg(bench, service.port, service.pid, source, {
      inFlight,
      legMs: bench.settings.legMs * 0.7,
    });
    points.push({ x: inFlight, y: leg.ratePerS });
    p99.push({ x: inFlight, y: leg.latency.p99Ms });
    bench.say(
      `  create with ${inFlight} in flight: ${Math.round(leg.ratePerS)}/s, p99 ${leg.latency.p99Ms.toFixed(1)} ms`,
    );
  }
  bench.report.curves.push({
    file: 'create-by-in-flight.svg',
    title: 'Creates a second by calls in flight',
    x: 'calls in flight',
    y: 'creates a second',
    isLogarithmic: true,
    lines: [{ name: 'one process', points }],
  });
}
