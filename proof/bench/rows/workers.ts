import { type Bench, callLeg, creates, type Ground, type Leg, reads, serviceOn, warmUp } from '../bench.ts';
import { takeTurns } from '../statistics.ts';
import { medianCpu, record } from './compare.ts';

/** Two server processes on one port against one. */
export async function measureWorkers(bench: Bench, ground: Ground, stored: number): Promise<void> {
  const one = await serviceOn(bench, ground);
  const two = await serviceOn(bench, ground, { env: { SVC_WORKERS: '2' } });
  const readSource = await reads(ground, stored);
  const legs: Record<'create' | 'read', Leg[]> = { create: [], read: [] };
  const rate = async (service: { port: number; pid: number }, kind: 'create' | 'read') => {
    const leg = await callLeg(
      bench,
      service.port,
      service.pid,
      kind === 'create' ? creates(ground.callers) : readSource,
    );
    if (service === two) legs[kind].push(leg);
    return leg.ratePerS;
  };
  for (const service of [one, two]) {
    await warmUp(bench, service, creates(ground.callers));
    await warmUp(bench, service, readSource);
  }
  const taken = await takeTurns(bench.settings.rounds, {
    'one create': () => rate(one, 'create'),
    'two create': () => rate(two, 'create'),
    'one read': () => rate(one, 'read'),
    'two read': () => rate(two, 'read'),
  });
  for (const kind of ['create', 'read'] as const) {
    record(bench, {
      row: 'workers',
      what: `${kind} with two processes (SVC_WORKERS=2)`,
      limit: 'one process',
      reach: null,
      ours: taken[`two ${kind}`],
      limits: taken[`one ${kind}`],
      cpu: medianCpu(legs[kind]),
    });
  }
  await one.stop();
  await two.stop();
}
