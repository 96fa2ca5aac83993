import { type Context, isReady } from '../../context.ts';
import { type Database, transaction } from '../../db/open.ts';
import { statementsOf } from '../../storage/index.ts';
import { askInTime } from './ask-in-time.ts';

/** The database's own signals, and how long the oldest webhook delivery has been waiting. */
export interface DatabaseSigns {
  database: 'ok' | 'down';
  writing: 'ok' | 'refused' | null;
  clock_skew_ms: number | null;
  outbox_lag_s: number | null;
}

export interface Vitals {
  /** The last result, never older than `MAX_AGE_MS`. */
  read(): DatabaseSigns;
  /** Probes the database a first time, then continues in the background. */
  start(): Promise<void>;
  stop(): void;
}

const REFRESH_MS = 2_000;
const TIMEOUT_MS = 2_000;
/** Long enough for a busy disk, and with the pause shorter than `MAX_AGE_MS`. */
const COMMIT_TIMEOUT_MS = 6_000;
const MAX_AGE_MS = 10_000;

const DOWN = { database: 'down', clock_skew_ms: null, outbox_lag_s: null } as const;

/**
 * Probes the database in the background, one probe at a time, so that a caller of `/health` costs no statement. A probe
 * that takes too long is cancelled and changes nothing: only silence for `MAX_AGE_MS`, or an explicit rejection, means
 * down. The log has one line when the database is lost and one when it is back, and the same for writes.
 */
export function createVitals(context: Context, afterLook: () => void): Vitals {
  const { writing } = context;
  let signs: Found | typeof DOWN = DOWN;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let lostAtMs: number | undefined;
  let refusedAtMs: number | undefined;

  const read = (): DatabaseSigns => {
    const found = isReady(context) && performance.now() - lookedAtMs <= MAX_AGE_MS ? signs : DOWN;
    const confirmed = writing.state === 'refused' ? 'refused' : 'ok';
    return { ...found, writing: found.database === 'ok' ? confirmed : null };
  };
  context.metrics.gauge(
    {
      name: 'svc_clock_skew_seconds',
      help: "How far the database's clock, which counts, is ahead of this machine's.",
      ofWorkers: 'average',
    },
    () => (read().clock_skew_ms ?? 0) / 1000,
  );
  context.metrics.gauge(
    { name: 'svc_database_up', help: 'Whether the database responds; 0 or 1.', ofWorkers: 'min' },
    () => (read().database === 'ok' ? 1 : 0),
  );
  context.metrics.gauge(
    {
      name: 'svc_database_writable',
      help: 'Whether the database confirms writes, so that calls which change something are served; 0 or 1.',
      ofWorkers: 'min',
    },
    () => (writing.state === 'refused' ? 0 : 1),
  );
  const tell = (error?: unknown): void => {
    const { pid } = process;
    const isDown = read().database === 'down';
    if (isDown === (lostAtMs !== undefined)) return;
    if (isDown)
      context.log.error(
        { event: 'database_lost', pid, err: error ?? new Error(`no response for ${MAX_AGE_MS / 1000} s`) },
        'the database is lost; calls get 503 until it is back',
      );
    else
      context.log.info(
        { event: 'database_back', pid, lost_ms: Math.round(performance.now() - (lostAtMs ?? 0)) },
        'the database is back',
      );
    lostAtMs = isDown ? performance.now() : undefined;
  };
  const reportWriting = (): void => {
    const { pid } = process;
    const isRefused = writing.state === 'refused';
    if (isRefused === (refusedAtMs !== undefined)) return;
    if (isRefused)
      context.log.error(
        { event: 'writing_refused', pid },
        'a commit did not end: calls that change something get 503 until one does',
      );
    else
      context.log.info(
        { event: 'writing_back', pid, refused_ms: Math.round(performance.now() - (refusedAtMs ?? 0)) },
        'commits end again',
      );
    refusedAtMs = isRefused ? performance.now() : undefined;
  };
  /** Whether the database has responded, or was found to be down. */
  const look = async (): Promise<boolean> => {
    let fault: unknown;
    try {
      // Calls whose commits wait may hold all connections of the pool.
      const db = writing.state === 'fine' ? context.db : context.database.aside;
      const found = await askDatabase(context, db);
      if (!found) return false;
      if (writing.lacksRoom) await tryRoom(context);
      signs = found;
      lookedAtMs = performance.now();
      if (writing.state !== 'fine') writing.settle((await doesCommit(context)) ? 'fine' : 'refused');
    } catch (error) {
      signs = DOWN;
      fault = error;
    } finally {
      if (!isStopped) {
        tell(fault);
        reportWriting();
        afterLook();
      }
    }
    return true;
  };
  const keepLooking = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => void look().then(keepLooking), REFRESH_MS);
    timer.unref();
  };

  return {
    read,
    async start() {
      // A process that serves before its first response is not ready, although nothing is wrong: on a busy machine that
      // response may take longer than a probe.
      const untilMs = performance.now() + MAX_AGE_MS;
      while (!(await look()) && !isStopped && performance.now() < untilMs);
      keepLooking();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

type Found = ReturnType<typeof signsOf> & Pick<DatabaseSigns, 'outbox_lag_s'>;

/** Undefined without a response in time. */
async function askDatabase(context: Context, db: Database): Promise<Found | undefined> {
  const now = context.clock.now();
  const query = db<{ now: Date }[]>`select clock_timestamp() as now`;
  const fromMs = performance.now();
  const row = (await askInTime(query, TIMEOUT_MS))?.[0];
  if (!row) return undefined;
  const signs = signsOf(row, now, context);
  context.clock.follow?.(row.now, fromMs, performance.now());
  await context.database.refuseOther(db);
  const oldest = await oldestDelivery(db);
  if (oldest === 'unknown') return { ...signs, outbox_lag_s: null };
  const lagMs = oldest ? now.getTime() - oldest.getTime() : 0;
  return { ...signs, outbox_lag_s: Math.max(0, lagMs / 1000) };
}

function signsOf(row: { now: Date }, now: Date, { clock }: Context) {
  return {
    database: 'ok' as const,
    clock_skew_ms: row.now.getTime() - now.getTime() + (clock.offsetMs?.() ?? 0),
  };
}

/** A node that is down delays only its own rows: the service is up, and the lag is unknown. */
async function oldestDelivery(db: Database): Promise<Date | null | 'unknown'> {
  const query = db<{ oldest: Date | null }[]>`${statementsOf(db).oldestDelivery(db)}`;
  const rows = await askInTime(query, TIMEOUT_MS).catch(() => undefined);
  return rows === undefined ? 'unknown' : (rows[0]?.oldest ?? null);
}

/** More than fits into existing pages, so that new ones are needed; rolled back entirely. */
async function tryRoom({ database, clock }: Context): Promise<void> {
  const undone = new Error('undone');
  await transaction(database.aside, async (tx) => {
    await tx`
      insert into rate_budgets (name, subject, uses, leases, expires_at)
      select 'probe', gen_random_uuid(), to_jsonb(repeat(gen_random_uuid()::text, 40)), '{}', ${clock.now()}
      from generate_series(1, 200)`;
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}

/**
 * Whether a commit ends in time. One that does not is cancelled, which ends its wait on the server: this row may be
 * lost. The cancellation never reaches the commit of a call, because no call uses this connection.
 */
async function doesCommit({ database, clock }: Context): Promise<boolean> {
  const query = database.aside`
    insert into rate_budgets (name, subject, uses, leases, expires_at)
    values ('probe', gen_random_uuid(), '[]', '{}', ${clock.now()})`;
  return (await askInTime(query, COMMIT_TIMEOUT_MS)) !== undefined;
}
