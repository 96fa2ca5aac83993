import type { Context } from '../../context.ts';
import type { PoolUse } from '../../db/open.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import type { Peers } from '../../processes/peers.ts';
import { registerBacklog } from './backlog.ts';

interface Parts {
  jobs(): readonly JobHealth[];
  peers: Peers;
}

/** What the service says about itself when its metrics are read; between two scrapes it costs nothing. */
export function registerGauges(context: Context, { jobs, peers }: Parts): void {
  const { metrics, database } = context;
  const pools: readonly (readonly [keyof PoolUse, string])[] = [
    ['size', 'Connections to the database that this pool may have.'],
    ['in_use', 'Connections to the database that are at work.'],
    ['waiting', 'Statements that wait for a connection to the database.'],
  ];
  for (const [what, help] of pools)
    metrics.gauges({ name: `svc_database_pool_${what}`, help, label: 'pool' }, () =>
      Object.fromEntries(Object.entries(database.use()).map(([pool, use]) => [pool, use[what]])),
    );
  metrics.gauge(
    {
      name: 'svc_database_durable',
      help: 'Whether the database keeps what it has acknowledged through a crash; 0 or 1.',
      ofWorkers: 'min',
    },
    () => (context.durability?.level === 'unsafe' ? 0 : 1),
  );
  metrics.gauges(
    {
      name: 'svc_job_silent_seconds',
      help: 'How long ago a turn of the background job last ended well.',
      label: 'job_name',
      ofWorkers: 'max',
    },
    () => Object.fromEntries(jobs().map(({ name, silentS }) => [name, silentS])),
  );
  metrics.gauges(
    {
      name: 'svc_job_stalled',
      help: 'Whether the background job has had no good turn for far longer than its pause; 0 or 1.',
      label: 'job_name',
      ofWorkers: 'max',
    },
    () => Object.fromEntries(jobs().map(({ name, alive }) => [name, alive ? 0 : 1])),
  );
  metrics.gauge(
    { name: 'svc_workers_expected', help: 'Server processes that should serve.', ofWorkers: 'max' },
    () => peers.counts().expected,
  );
  metrics.gauge(
    { name: 'svc_workers_serving', help: 'Server processes that serve.', ofWorkers: 'min' },
    () => peers.counts().serving,
  );
  registerBacklog(context);
}
