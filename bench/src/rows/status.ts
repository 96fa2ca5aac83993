import { type Bench, callLeg, type Ground, type Leg, reports, serviceOn } from '../bench.ts';
import type { Caller } from '../stage/population.ts';
import { storePending } from '../stage/stored.ts';
import { takeTurns } from '../statistics.ts';
import { medianCpu, record } from './compare.ts';

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
    reach: 0.8,
    ours: taken.ours,
    limits: taken.bare,
    cpu: medianCpu(legs),
  });
  await service.stop();
  await sql`checkpoint`;
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
