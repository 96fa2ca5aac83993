import { type Bench, callLeg, type Ground, type Leg, reports, serviceOn } from '../bench.ts';
import type { Caller } from '../stage/population.ts';
import { storePending } from '../stage/stored.ts';
import { takeTurns } from '../statistics.ts';
import { medianCpu, record } from './compare.ts';
import { betweenCheckpoints, logBytes, noteCost, updatesOf } from './costs.ts';

const CONNECTIONS = [8, 16, 32];
const STEPS = ['signed', 'broadcasted', 'confirmed'] as const;
type Step = (typeof STEPS)[number];

/** A wallet's reports against the very same statement sent by the driver alone. */
export async function measureStatus(bench: Bench, ground: Ground): Promise<void> {
  const { sql, target } = ground.database;
  const { reports: count } = bench.settings;
  const service = await serviceOn(bench, ground);
  const legs: Leg[] = [];
  const ours = createSteps(ground, count, 'ours');
  const bare = createSteps(ground, Math.ceil(count / CONNECTIONS.length), 'bare');
  const first = await storePending(sql, ground.callers, Math.ceil(count / 2), 'warm-up');
  await callLeg(bench, service.port, service.pid, reports(first, 'signed'));
  const taken = await takeTurns(bench.settings.rounds, {
    ours: async () => {
      const { pending, status } = await ours();
      const leg = await callLeg(bench, service.port, service.pid, reports(pending, status));
      legs.push(leg);
      return leg.ratePerS;
    },
    bare: async () => {
      const tried: number[] = [];
      for (const connections of CONNECTIONS) {
        const { pending, status } = await bare();
        tried.push(
          (await bench.driver.ask({ kind: 'status', target, connections, reports: pending, status }))
            .ratePerS,
        );
      }
      return Math.max(...tried);
    },
  });
  record(bench, {
    row: 'status',
    what: 'status report',
    limit: `the same statement by a bare driver, best of ${CONNECTIONS.join(', ')} connections`,
    reach: 0.95,
    ours: taken.ours,
    limits: taken.bare,
    cpu: medianCpu(legs),
  });
  await service.stop();
  await noteReportCosts(bench, ground);
  await sql`checkpoint`;
}

/** In which order people decide on requests that were stored one after the other. */
const ORDERS = {
  'in random order': shuffled,
  'neighbours together': <T>(rows: readonly T[]): T[] => [...rows],
} as const;

/** Every step of fresh requests by a service of its own, so that nobody else's updates are counted in. */
async function noteReportCosts(bench: Bench, ground: Ground): Promise<void> {
  for (const [name, order] of Object.entries(ORDERS)) {
    const next = createSteps(ground, bench.settings.reports, `costs ${name}`);
    const before = await updatesOf(ground, 'payment_requests');
    const service = await serviceOn(bench, ground);
    const bytes = await betweenCheckpoints(ground, async () => {
      let sum = 0;
      for (const _ of STEPS) {
        const { pending, status } = await next();
        sum += await logBytes(ground, async () => {
          await callLeg(bench, service.port, service.pid, reports(order(pending), status));
          return pending.length;
        });
      }
      return sum / STEPS.length;
    });
    await service.stop();
    const after = await updatesOf(ground, 'payment_requests');
    const value = ((after.hot - before.hot) / (after.all - before.all)) * 100;
    noteCost(bench, {
      what: `log of a status report, ${name}`,
      value: bytes,
      unit: 'bytes',
      digits: 0,
      target: null,
    });
    noteCost(bench, {
      what: `updates of payment_requests by status reports that touch no index (HOT), ${name}`,
      value,
      unit: '%',
      digits: 0,
      target: { atLeast: name === 'in random order' ? 98 : 50 },
    });
  }
}

function shuffled<T>(rows: readonly T[]): T[] {
  const mixed = [...rows];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const place = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[place]] = [mixed[place] as T, mixed[last] as T];
  }
  return mixed;
}

interface Stretch {
  pending: { requestId: string; caller: Caller }[];
  status: Step;
}

/** Every request serves three stretches, one for each step of its life. */
function createSteps(ground: Ground, count: number, run: string): () => Promise<Stretch> {
  let turn = 0;
  let pending: Stretch['pending'] = [];
  return async () => {
    const status = STEPS[turn % STEPS.length] ?? 'signed';
    if (status === 'signed') {
      pending = await storePending(ground.database.sql, ground.callers, count, `${run} ${turn}`);
      await ground.database.sql`vacuum (analyze) payment_requests`;
    }
    turn += 1;
    return { pending, status };
  };
}
