import { type Context, isReady } from '../../context.ts';
import type { PoolUse } from '../../db/open.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import type { Peers } from '../../processes/peers.ts';
import { statementsOf } from '../../storage/index.ts';
import { askInTime } from './ask-in-time.ts';

interface Parts {
  jobs(): readonly JobHealth[];
  peers: Peers;
}

/** Gauges that are read when the metrics are scraped; between two scrapes they cost nothing. */
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

/** What waits in the database, and for how long; computed only when the metrics are read. */
interface Backlog {
  size: Record<string, number>;
  oldest_s: Record<string, number>;
  webhooks: Record<string, number>;
}

interface Counted {
  name: string;
  size: number;
  oldest: Date | null;
}

/** Less than the primary's time-out for a worker's metrics. */
const TIMEOUT_MS = 1_000;
const MIN_AGE_MS = 2_000;
/** The exact excess does not matter, and counting on would cost more the worse it gets. */
const MOST = 10_000;

const NOTHING: Backlog = { size: {}, oldest_s: {}, webhooks: {} };

/** One statement for each scrape, bounded whatever waits. While the database is silent the last values stay. */
function registerBacklog(context: Context): void {
  const { metrics } = context;
  let known = NOTHING;
  let askedMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<Backlog> | undefined;
  const look = async (): Promise<Backlog> => {
    askedMs = performance.now();
    try {
      known = (await askDatabase(context)) ?? known;
    } catch {
      // `svc_database_up` reports it.
    }
    return known;
  };
  const read = async (): Promise<Backlog> => {
    if (!isReady(context)) return NOTHING;
    if (performance.now() - askedMs < MIN_AGE_MS) return asking ?? known;
    asking = look().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const upTo = `counted up to ${MOST}`;
  metrics.gauges(
    { name: 'svc_queue_size', help: `What waits in each queue, ${upTo}.`, label: 'queue', ofWorkers: 'max' },
    async () => (await read()).size,
  );
  metrics.gauges(
    {
      name: 'svc_queue_oldest_seconds',
      help: 'How long the oldest entry of each queue has been waiting: since it was due, made or overdue.',
      label: 'queue',
      ofWorkers: 'max',
    },
    async () => (await read()).oldest_s,
  );
  metrics.gauges(
    {
      name: 'svc_webhook_deliveries',
      help: `Webhook deliveries that wait, by state, ${upTo} and 1000 of one endpoint.`,
      label: 'state',
      ofWorkers: 'max',
    },
    async () => (await read()).webhooks,
  );
}

async function askDatabase(context: Context): Promise<Backlog | undefined> {
  const now = context.clock.now();
  const networks = [...context.config.observe.keys()];
  // The first entries of each queue's index. Webhooks go from endpoint to endpoint, like the worker's claims.
  const sql = context.serviceDb;
  const { backlog, outbox } = statementsOf(sql);
  const { deliveries, firstLook } = backlog(sql, networks, now);
  const query = sql<Counted[]>`
    with deliveries as (
      select case when d.parked_at is not null then 'parked' when d.run_at <= ${now} then 'due'
                  when d.lease is not null then 'sending' else 'retry' end as state, d.run_at
      from ${deliveries}
      limit ${MOST}
    ), pending as (
      -- Without the placeholder rows.
      select created_at, expires_at from pending_requests where expires_at < 'infinity'
      order by expires_at at time zone 'UTC' limit ${MOST}
    ), mails as (
      select created_at from mail_jobs order by run_at limit ${MOST}
    ), log as (
      (select at from log_queue order by entry_id limit ${MOST})
      ${outbox ? sql`union all (${outbox.waiting(sql, MOST)})` : sql``}
    ), looks as (
      select look_at from observations order by network, look_at limit ${MOST}
    ), chain as (
      select audit_event_id from audit_chain_queue order by audit_event_id limit ${MOST}
    )
    select state as name, count(*)::int as size, null::timestamptz as oldest from deliveries group by state
    union all select 'webhooks', count(*) filter (where state = 'due')::int,
      min(run_at) filter (where state = 'due') from deliveries
    union all select 'pending_requests', count(*)::int, min(created_at) from pending
    union all select 'overdue_requests', count(*)::int, min(expires_at) from pending where expires_at <= ${now}
    union all select 'mails', count(*)::int, min(created_at) from mails
    union all select 'settlement', count(*)::int,
      ${firstLook} from looks
    union all select 'transparency_log', count(*)::int, min(at) from log
    union all select 'audit_chain', count(*)::int,
      (select e.occurred_at from audit_events e
       where e.audit_event_id = (select min(c.audit_event_id) from chain c)) from chain`;
  const rows = await askInTime(query, TIMEOUT_MS);
  if (!rows) return undefined;
  const queues = rows.filter(({ name }) => !WEBHOOK_STATES.has(name));
  const ageOf = ({ oldest }: Counted) => (oldest ? Math.max(0, now.getTime() - oldest.getTime()) / 1000 : 0);
  const sizes = new Map(rows.map(({ name, size }) => [name, size]));
  return {
    size: Object.fromEntries(queues.map(({ name, size }) => [name, size])),
    oldest_s: Object.fromEntries(queues.map((row) => [row.name, ageOf(row)])),
    webhooks: Object.fromEntries([...WEBHOOK_STATES].map((state) => [state, sizes.get(state) ?? 0])),
  };
}

/** A new attempt is due, in flight, or planned; parked ones wait for a disabled endpoint. */
const WEBHOOK_STATES = new Set(['due', 'sending', 'retry', 'parked']);
