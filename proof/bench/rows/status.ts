import { randomUUID } from 'node:crypto';
import { type Bench, callLeg, type Ground, type Place, reports, serviceOn } from '../bench.ts';
import type { Caller } from '../ground/population.ts';
import { storePending } from '../ground/stored.ts';
import { fastest } from '../statistics.ts';
import { calling, compare } from './compare.ts';
import { betweenCheckpoints, logBytes, noteCost, updatesOf } from './costs.ts';

const CONNECTIONS = [8, 16, 32];
/** The driver alone is slower, and its stretches need not last longer. */
const BARE_PART = 3;
const STEPS = ['signed', 'broadcasted', 'confirmed'] as const;
type Step = (typeof STEPS)[number];

/** A wallet's reports against the very same statement sent by the driver alone. */
export async function measureStatus(bench: Bench, ground: Ground): Promise<void> {
  const { sql, target } = ground.database;
  const { reports: count } = bench.settings;
  const service = await serviceOn(ground);
  const next = createSteps(ground, count, 'ours');
  const nextBare = createSteps(ground, Math.ceil(count / BARE_PART), 'bare');
  const first = await storePending(sql, ground.callers, Math.ceil(count / 2), 'warm-up');
  await callLeg(bench, service, reports(first, 'signed'));
  const bareLeg = async (connections: number) => {
    const { pending, status } = await nextBare();
    const job = { kind: 'status', target, connections, reports: pending, status } as const;
    return (await bench.driver.ask(job)).ratePerS;
  };
  const connections = await fastest(CONNECTIONS, bareLeg);
  const ours = calling(bench, service, async () => {
    const { pending, status } = await next();
    return reports(pending, status);
  });
  await compare(bench, 'status', { ours, bare: { used: [], rate: () => bareLeg(connections) } }, [
    {
      what: 'status report',
      limit: `the same statement by a bare driver, with the best of ${CONNECTIONS.join(', ')} connections`,
      reach: 0.95,
      ours: 'ours',
      against: 'bare',
    },
  ]);
  await service.stop();
  await noteReportCosts(bench, ground);
  await sql`checkpoint`;
}

/** In which order people decide on requests that were stored one after the other, and how many of them await it. */
const ORDERS = {
  // As it is in use: one page is met now and then, and what a previous update left there is gone by then.
  'in random order': { order: shuffled, times: 5, atLeast: 98 },
  // The worst case: all requests of a page together, before any space can be reclaimed.
  'neighbours together': { order: <T>(rows: readonly T[]): T[] => [...rows], times: 1, atLeast: 50 },
} as const;

/** All steps of fresh requests; returns the bytes of log that one report writes. */
async function reportAll(bench: Bench, ground: Ground, service: Place, work: ReportWork): Promise<number> {
  // Every try needs fresh requests.
  const next = createSteps(ground, work.count, `${work.name} ${randomUUID()}`);
  let sum = 0;
  for (const _ of STEPS) {
    const { pending, status } = await next();
    sum += await logBytes(ground, async () => {
      await callLeg(bench, service, reports(work.order(pending), status));
      return pending.length;
    });
  }
  return sum / STEPS.length;
}

interface ReportWork {
  name: string;
  count: number;
  order<T>(rows: readonly T[]): T[];
}

async function noteReportCosts(bench: Bench, ground: Ground): Promise<void> {
  const { reports: count } = bench.settings;
  for (const [name, { order, times, atLeast }] of Object.entries(ORDERS)) {
    const log = await serviceOn(ground);
    const value = await betweenCheckpoints(ground, () =>
      reportAll(bench, ground, log, { name: `log ${name}`, count, order }),
    );
    await log.stop();
    noteCost(bench, {
      what: `log of a status report, ${name}`,
      value,
      unit: 'bytes',
      digits: 0,
      target: null,
    });
    // By a separate service, so that no other updates are counted.
    const before = await updatesOf(ground, 'payment_requests');
    const updates = await serviceOn(ground);
    await reportAll(bench, ground, updates, { name: `updates ${name}`, count: times * count, order });
    await updates.stop();
    const after = await updatesOf(ground, 'payment_requests');
    noteCost(bench, {
      what: `updates of payment_requests by status reports that touch no index (HOT), ${name}`,
      value: ((after.hot - before.hot) / (after.all - before.all)) * 100,
      unit: '%',
      digits: 1,
      target: { atLeast },
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
