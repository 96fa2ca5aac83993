import { type Context, isReady } from '../../context.ts';
import type { DocumentAnswer } from '../../http/document.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import { VERSION } from '../../version.ts';

const DATABASE_TIMEOUT_MS = 2_000;

interface DatabaseCheck {
  database: 'ok' | 'down';
  clock_skew_ms: number | null;
  outbox_lag_s: number | null;
}

/** Alive and able to work, or 503. Clock skew is reported, never a reason to be degraded. */
export async function health(context: Context, jobs: readonly JobHealth[]): Promise<DocumentAnswer> {
  const database = isReady(context) ? await askDatabase(context) : DOWN;
  const stalled = jobs.filter((job) => !job.alive).map((job) => job.name);
  const isOk = database.database === 'ok' && stalled.length === 0;
  const body = {
    status: isOk ? 'ok' : 'degraded',
    version: VERSION,
    uptime_s: Math.floor(process.uptime()),
    pid: process.pid,
    checks: {
      ...database,
      schema: context.schemaLevel ?? null,
      jobs: Object.fromEntries(jobs.map((job) => [job.name, job.alive ? 'ok' : 'stalled'])),
    },
    durability: context.durability ?? null,
    networks: context.config.enabledNetworks,
  };
  return {
    status: isOk ? 200 : 503,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  };
}

const DOWN: DatabaseCheck = { database: 'down', clock_skew_ms: null, outbox_lag_s: null };

async function askDatabase(context: Context): Promise<DatabaseCheck> {
  const now = context.clock.now();
  const query = context.db<{ now: Date; oldest: Date | null }[]>`
    select clock_timestamp() as now,
           (select min(run_at) from webhook_deliveries where status = 'pending') as oldest`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, DATABASE_TIMEOUT_MS, undefined);
  });
  try {
    const row = (await Promise.race([query, late]))?.[0];
    if (!row) return DOWN;
    const lagMs = row.oldest ? now.getTime() - row.oldest.getTime() : 0;
    return {
      database: 'ok',
      clock_skew_ms: row.now.getTime() - now.getTime(),
      outbox_lag_s: Math.max(0, lagMs / 1000),
    };
  } catch {
    return DOWN;
  } finally {
    clearTimeout(timer);
  }
}
