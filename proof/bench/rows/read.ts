import { startHelper } from '../../stage/load/helper.ts';
import type { BareRoute } from '../bare/jobs.ts';
import { type Bench, type Ground, polls, reads, serviceOn, warmUp } from '../bench.ts';
import { calling, compare, drawInFlight } from './compare.ts';

const SELECT =
  'a bare Fastify route that selects one stored row by its primary key, prepared, and returns the same body';
const MEMORY = 'a bare Fastify route that returns the same body from memory';
const NAMES = { read: 'read one request', poll: 'poll events, one found' } as const;

/**
 * One request read, and one page polled. The fair reference is a route that does the minimum of a read, which is to
 * select one row; the framework responding from memory shows how much of a read is HTTP.
 */
export async function measureRead(bench: Bench, ground: Ground): Promise<void> {
  const service = await serviceOn(ground);
  const sources = { read: await reads(ground), poll: await polls(ground) };
  for (const what of ['read', 'poll'] as const) {
    const source = sources[what];
    const body = await bodyOf(service.port, source.requests[0] ?? '');
    const memory = await startRoute({ body });
    const select = await startRoute({ body, selects: { target: ground.database.target, what } });
    for (const place of [service, memory, select]) await warmUp(bench, place, source);
    const sides = {
      ours: calling(bench, service, () => source),
      select: calling(bench, select, () => source),
      memory: calling(bench, memory, () => source),
    };
    await compare(bench, 'read', sides, [
      { what: NAMES[what], limit: SELECT, reach: 1.3, ours: 'ours', against: 'select' },
      {
        what: `${NAMES[what]}, against memory`,
        limit: MEMORY,
        reach: null,
        isExtra: true,
        ours: 'ours',
        against: 'memory',
      },
    ]);
    if (what === 'read')
      await drawInFlight(
        bench,
        { file: 'read-by-in-flight.svg', title: 'Reads a second by calls in flight', y: 'reads a second' },
        [
          { name: 'read one request', place: service, sourceOf: () => source },
          { name: 'bare Fastify', place: memory, sourceOf: () => source },
        ],
      );
    for (const route of [memory, select]) await route.end();
  }
  await service.stop();
}

/** A separate process, like every reference. */
async function startRoute(job: BareRoute) {
  const route = startHelper<BareRoute, { port: number }>(new URL('../bare/fastify.js', import.meta.url));
  const { port } = await route.ask(job);
  return { port, pid: route.pid, end: route.end };
}

/** The body of the response to a request as the generator would send it. */
async function bodyOf(port: number, request: string): Promise<string> {
  const [, path = '/'] = request.split(' ');
  const token = /authorization: (.*)\r\n/.exec(request)?.[1] ?? '';
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: token } });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.text();
}
