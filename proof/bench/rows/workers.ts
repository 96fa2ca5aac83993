import { type Bench, creates, type Ground, reads, serviceOn, warmUp } from '../bench.ts';
import { calling, compare } from './compare.ts';

/** Two server processes on one port against one. */
export async function measureWorkers(bench: Bench, ground: Ground): Promise<void> {
  const one = await serviceOn(ground);
  const two = await serviceOn(ground, { SVC_WORKERS: '2' });
  const read = await reads(ground);
  for (const service of [one, two])
    for (const source of [creates(ground.callers), read]) await warmUp(bench, service, source);
  const sides = {
    'one create': calling(bench, one, () => creates(ground.callers)),
    'two create': calling(bench, two, () => creates(ground.callers)),
    'one read': calling(bench, one, () => read),
    'two read': calling(bench, two, () => read),
  };
  await compare(
    bench,
    'workers',
    sides,
    (['create', 'read'] as const).map((kind) => ({
      what: `${kind} with two processes (SVC_WORKERS=2)`,
      limit: 'one process',
      reach: null,
      ours: `two ${kind}` as const,
      against: `one ${kind}` as const,
    })),
  );
  await one.stop();
  await two.stop();
}
