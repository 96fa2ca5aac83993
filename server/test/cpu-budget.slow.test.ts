// Slow: measures processor time of 500 hostile inputs.
import { Agent, request } from 'node:http';
import { type PaymentStage, paymentStage } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { HOSTILE_BODIES, HOSTILE_QUERIES, seeded } from '@payassent/proof/surroundings/hostile-inputs';
import { isMutation } from '@payassent/protocol/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishedRoute } from '../src/http/route.ts';
import { publishedRoutes } from '../src/http/route.ts';

/*
 * What a request costs grows with its length and no faster: eight times the bytes cost less than twelve times the
 * processor time, for every shape of hostile input on every route that a stranger can reach, and on those where an agent
 * writes free text. Times are those of the processor, as medians, so a busy machine does not matter; a measurement that
 * fails is made again, an input never changes.
 */

const SHORT = 8 * 1024;
const LONG = 64 * 1024;
const SHORT_QUERY = 1_750;
const LONG_QUERY = 14_000;
const MAX_RATIO = 12;
/** Far above what is measured, far below what one stranger needs to stop a thread. */
const MAX_MS = 150;
const MEASUREMENTS = 8;
/** On each route: at least 500 inputs in all, half of each length. */
const INPUTS = 500;

let service: TestService;
let stage: PaymentStage;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(async () => {
  agent.destroy();
  await service.close();
});

function send(route: PublishedRoute, path: string, body: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(route.credential.length > 0 ? { authorization: `Bearer ${stage.connectionToken}` } : {}),
      'x-idempotency-key': 'cpu-budget',
    };
    const sent = request(service.url + path, { method: route.method, agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Input {
  path: string;
  body: string | undefined;
}

async function costMs(route: PublishedRoute, input: Input): Promise<number> {
  const before = process.cpuUsage();
  const status = await send(route, input.path, input.body);
  const { user, system } = process.cpuUsage(before);
  expect(status, `${route.path} ${input.body?.slice(0, 200) ?? input.path.slice(0, 200)}`).toBeLessThan(500);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(route: PublishedRoute, short: readonly Input[], long: readonly Input[]) {
  const costs = { short: [] as number[], long: [] as number[] };
  // By turns, so that whatever else the machine does falls on both alike.
  for (const [index, input] of short.entries()) {
    costs.short.push(await costMs(route, input));
    costs.long.push(await costMs(route, long[index] ?? input));
  }
  return { short: median(costs.short), long: median(costs.long) };
}

type Shape = (input: { random: () => number; size: number; known: readonly string[] }) => string;

async function expectLinear(
  route: PublishedRoute,
  shapes: Readonly<Record<string, Shape>>,
  isQuery: boolean,
) {
  const known = Object.keys(route.body?.properties ?? {});
  const perLength = Math.ceil(INPUTS / 2 / Object.keys(shapes).length);
  const make = (shape: Shape, size: number, seed: number): Input => {
    const text = shape({ random: seeded(seed), size, known });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(size);
    return isQuery ? { path: `${route.path}?${text}`, body: undefined } : { path: route.path, body: text };
  };
  const found: string[] = [];
  for (const [name, shape] of Object.entries(shapes)) {
    const seeds = Array.from({ length: perLength }, (_, index) => index + 1);
    const short = seeds.map((seed) => make(shape, isQuery ? SHORT_QUERY : SHORT, seed));
    const long = seeds.map((seed) => make(shape, isQuery ? LONG_QUERY : LONG, seed));
    for (const input of [...short.slice(0, 3), ...long.slice(0, 3)])
      await send(route, input.path, input.body);
    let cost = await measure(route, short, long);
    for (let turn = 1; turn < MEASUREMENTS && isTooMuch(cost); turn += 1)
      cost = await measure(route, short, long);
    if (isTooMuch(cost)) found.push(`${name}: ${cost.short.toFixed(2)} ms, then ${cost.long.toFixed(2)} ms`);
    if (process.env['CPU_BUDGET_SHOW'])
      process.stdout.write(
        `${route.path} ${name}: ${cost.short.toFixed(2)} ms, ${cost.long.toFixed(2)} ms\n`,
      );
  }
  expect(found, `${route.method} ${route.path}`).toEqual([]);
}

function isTooMuch(cost: { short: number; long: number }): boolean {
  return cost.long / cost.short >= MAX_RATIO || cost.long >= MAX_MS;
}

const FREE_TEXT = ['/v1/payment-requests', '/v1/transaction-contexts'];
const bodies = publishedRoutes().filter(
  (route) =>
    isMutation(route.method) &&
    (route.credential.length === 0 || (route.method === 'POST' && FREE_TEXT.includes(route.path))),
);
const queries = publishedRoutes().filter((route) => route.method === 'GET' && route.credential.length === 0);

describe('500 hostile inputs cost no more than their length', () => {
  it.each(bodies.map((route) => [route.path, route] as const))(
    'in the body of %s',
    async (_path, route) => {
      await expectLinear(route, HOSTILE_BODIES, false);
    },
    600_000,
  );

  it.each(queries.map((route) => [route.path, route] as const))(
    'in the query of %s',
    async (_path, route) => {
      await expectLinear(route, HOSTILE_QUERIES, true);
    },
    600_000,
  );
});
