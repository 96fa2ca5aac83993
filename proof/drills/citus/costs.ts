import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Server } from '../../stage/database/servers.ts';
import { watching } from '../../stage/faults/processes.ts';
import { succeed } from '../../stage/people/merchants.ts';
import { deviceOf } from '../../stage/people/wallets.ts';
import { table } from '../../stage/report.ts';
import { type Caller, createCaller } from '../../stage/service/client.ts';
import { at, type Link, peopleWorld, type World } from '../../torture/clients/known-world.ts';
import { createRandom } from '../../torture/run/random.ts';
import { type Stage, setStage } from '../../torture/run/stage.ts';

/** What the service's database is spread over. */
interface Layout {
  server: Server;
  /** Of the server that the service connects to first. */
  pids: number[];
}

interface CallCost {
  call: CallName;
  /** Microseconds of a call: of the service, of the server it is connected to, and of the other machines together. */
  service: number;
  server: number;
  workers: number;
}

/** As the bench: enough that calls share statements. */
const IN_FLIGHT = 64;
const CALLS = 3_000;
const WARM_UP = 600;
const PEOPLE = { tenants: 6, wallets: 6, links: 24 };

interface Made {
  link: Link;
  requestId: string;
}

/** In this order: reads and reports are of what was created. */
const CALLS_OF = {
  create: async (call: Caller, made: Made[], link: Link) => {
    const body = {
      recipient_id: at(link.tenant.payees, 0).recipientId,
      payment: { amount: '1.5' },
      policy: { requires_user_approval: true },
    };
    const received = await succeed(
      call('POST', '/v1/payment-requests', { bearer: link.token, idempotencyKey: randomUUID(), body }),
    );
    made.push({ link, requestId: received.body.payment_request.request_id });
  },
  read: async (call: Caller, made: Made[], _: Link, n: number) => {
    const { link, requestId } = at(made, n);
    await succeed(call('GET', `/v1/payment-requests/${requestId}`, { bearer: link.token }));
  },
  poll: async (call: Caller, _made: Made[], { token }: Link) => {
    await succeed(
      call('GET', '/v1/payment-requests/events', { bearer: token, query: { since: 0, limit: 1 } }),
    );
  },
  report: async (call: Caller, made: Made[]) => {
    const { link, requestId } = made.pop() as Made;
    const device = deviceOf(at(link.wallet.devices, 0));
    const body = { status: 'rejected', connection_id: link.connectionId };
    await succeed(call('POST', `/v1/payment-requests/${requestId}/status`, { device, body }));
  },
} as const;
type CallName = keyof typeof CALLS_OF;

/** Processor time of every machine for each call. Elapsed time would mean nothing where all of them share two cores. */
export async function measureCosts(folder: string, name: string, layout: Layout): Promise<CallCost[]> {
  const random = createRandom(`costs ${name}`);
  const stage = await setStage(join(folder, name), random.child('stage'), {
    server: layout.server,
    members: ['a'],
  });
  try {
    const world = await peopleWorld(stage, random.child('people'), PEOPLE);
    await silence(world);
    return await callAll(stage, world, layout.pids);
  } finally {
    await stage.close();
  }
}

/** Webhooks that are delivered meanwhile would be counted in. */
async function silence({ tenants, stage }: World): Promise<void> {
  const call = createCaller(`http://127.0.0.1:${stage.members[0]?.front.port}`);
  for (const { merchant, endpoints } of tenants)
    for (const { endpointId } of endpoints)
      await succeed(call('DELETE', `/v1/webhook-endpoints/${endpointId}`, { session: merchant.session }));
}

async function callAll(stage: Stage, world: World, pids: readonly number[]): Promise<CallCost[]> {
  const [member] = stage.members;
  if (!member) throw new Error('There is no process of the service.');
  const call = createCaller(`http://127.0.0.1:${member.front.port}`);
  const made: Made[] = [];
  const costs: CallCost[] = [];
  for (const [name, work] of Object.entries(CALLS_OF) as [CallName, (typeof CALLS_OF)[CallName]][]) {
    const run = (count: number) => inFlight(count, (n) => work(call, made, at(world.links, n), n));
    await run(WARM_UP);
    const { cpuMs } = await watching([member.process.pid(), ...pids], () => run(CALLS));
    const [service = 0, server = 0, ...workers] = cpuMs.map((ms) => ((ms ?? 0) * 1000) / CALLS);
    costs.push({ call: name, service, server, workers: workers.reduce((sum, each) => sum + each, 0) });
  }
  return costs;
}

async function inFlight(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (next < count) {
        const n = next;
        next += 1;
        await work(n);
      }
    }),
  );
}

export function costsTable(plain: readonly CallCost[], distributed: readonly CallCost[]): string {
  const sum = (...parts: number[]) => parts.map((micros) => micros.toFixed(0)).join(' + ');
  const head = [
    'Processor time of a call, µs',
    'One PostgreSQL: service + server',
    'Distributed: service + coordinator + workers',
  ];
  const rows = plain.map(({ call, service, server }, n) => {
    const many = at(distributed, n);
    return [call, sum(service, server), sum(many.service, many.server, many.workers)];
  });
  return table(head, rows);
}
