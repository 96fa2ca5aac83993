import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../../stage/ending.ts';
import { type Bench, creates, type Ground, IN_FLIGHT, serviceOn, warmUp } from '../bench.ts';
import { type Caller, listen, populate } from '../ground/population.ts';
import { fastest } from '../statistics.ts';
import { calling, compare, drawInFlight, type Side } from './compare.ts';
import { createSome, noteLog } from './costs.ts';

const CONNECTIONS = [8, 16, 32, 64];
const LISTENING_MERCHANTS = 8;
const BEST = `with the best of ${CONNECTIONS.join(', ')} connections`;

/**
 * Creates of merchants with webhook endpoints, so that each create writes its message and its delivery as well. The
 * receiver accepts the first few and never responds: delivery is another row, this one measures the writes.
 */
export async function measureCreate(bench: Bench, ground: Ground): Promise<void> {
  const { sql, target } = ground.database;
  const callers = await populate(sql, 'listening', LISTENING_MERCHANTS);
  const { endpoints, closeReceiver } = await listenInVain(ground, callers);
  const service = await serviceOn(ground);
  const naive = async (
    form: 'correct' | 'inserts',
    heard: ReadonlyMap<string, string>,
    who: readonly Caller[],
  ): Promise<Side> => {
    const { warmUpMs, legMs: durationMs } = bench.settings;
    const fixed = { kind: 'create', target, callers: who, endpoints: heard, form } as const;
    const leg = async (connections: number) =>
      (await bench.driver.ask({ ...fixed, warmUpMs, durationMs, connections })).ratePerS;
    const connections = await fastest(CONNECTIONS, leg);
    return { used: [], rate: () => leg(connections) };
  };
  await warmUp(bench, service, creates(callers));
  const sides = {
    ours: calling(bench, service, () => creates(callers)),
    unheard: calling(bench, service, () => creates(ground.callers)),
    naive: await naive('correct', endpoints, callers),
    inserts: await naive('inserts', endpoints, callers),
    unheardNaive: await naive('correct', new Map(), ground.callers),
  };
  await compare(bench, 'create', sides, [
    {
      what: `create, ${IN_FLIGHT} in flight, with its webhook delivery`,
      limit: `bare driver: one statement that checks and inserts the row and its delivery, one commit each, ${BEST}`,
      reach: 1.2,
      ours: 'ours',
      against: 'naive',
    },
    {
      what: 'the same against inserts that check nothing',
      limit: `bare driver: the same statement without credential, scope and payee checks, ${BEST}`,
      reach: null,
      isExtra: true,
      ours: 'ours',
      against: 'inserts',
    },
    {
      what: 'create without webhooks',
      limit: `bare driver: check and insert the row alone, one commit each, ${BEST}`,
      reach: null,
      isExtra: true,
      ours: 'unheard',
      against: 'unheardNaive',
    },
  ]);
  for (const [what, who] of [
    ['create with its webhook delivery', callers],
    ['create without webhooks', ground.callers],
  ] as const)
    await noteLog(bench, ground, `log of a ${what}`, () => createSome(bench, ground, service, who));
  await drawInFlight(
    bench,
    { file: 'create-by-in-flight.svg', title: 'Creates a second by calls in flight', y: 'creates a second' },
    [{ name: 'one process', place: service, sourceOf: () => creates(ground.callers) }],
  );
  await service.stop();
  await closeReceiver();
}

/** Endpoints of all these merchants at a receiver that accepts requests and never responds. */
async function listenInVain({ database: { sql } }: Ground, callers: readonly Caller[]) {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const closeReceiver = atEnd(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const endpoints = new Map<string, string>();
  for (const merchantId of new Set(callers.map((caller) => caller.merchantId)))
    endpoints.set(merchantId, await listen(sql, merchantId, `http://127.0.0.1:${port}/hook`));
  await sql`vacuum analyze webhook_endpoints`;
  return { endpoints, closeReceiver };
}
