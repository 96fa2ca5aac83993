import { type Context, isReady } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { statementsOf } from '../../storage/index.ts';
import { askInTime } from './ask-in-time.ts';

/** What the database said about itself, and how long the oldest webhook delivery has been waiting. */
export interface DatabaseSigns {
  database: 'ok' | 'down';
  clock_skew_ms: number | null;
  outbox_lag_s: number | null;
}

export interface Vitals {
  /** What was found last, never older than `MAX_AGE_MS`. */
  read(): DatabaseSigns;
  /** Looks once and keeps looking. */
  start(): Promise<void>;
  stop(): void;
}

const REFRESH_MS = 2_000;
const TIMEOUT_MS = 2_000;
const MAX_AGE_MS = 10_000;

const DOWN: DatabaseSigns = { database: 'down', clock_skew_ms: null, outbox_lag_s: null };

/**
 * Looks at the database in the background, one look at a time, so that a caller of `/health` costs no statement. A look
 * that takes too long is cancelled and changes nothing: only silence for `MAX_AGE_MS`, or a plain refusal, means down.
 * The log has one line when the database is lost and one when it is back.
 */
export function createVitals(context: Context, afterLook: () => void): Vitals {
  let signs = DOWN;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let lostAtMs: number | undefined;

  const read = () => (isReady(context) && performance.now() - lookedAtMs <= MAX_AGE_MS ? signs : DOWN);
  context.metrics.gauge(
    {
      name: 'svc_clock_skew_seconds',
      help: "How far the database's clock, which counts, is ahead of this machine's.",
      ofWorkers: 'average',
    },
    () => (read().clock_skew_ms ?? 0) / 1000,
  );
  context.metrics.gauge(
    { name: 'svc_database_up', help: 'Whether the database answers; 0 or 1.', ofWorkers: 'min' },
    () => (read().database === 'ok' ? 1 : 0),
  );
  const tell = (error?: unknown): void => {
    const { pid } = process;
    const isDown = read().database === 'down';
    if (isDown === (lostAtMs !== undefined)) return;
    if (isDown)
      context.log.error(
        { event: 'database_lost', pid, err: error ?? new Error(`no answer for ${MAX_AGE_MS / 1000} s`) },
        'the database is lost; calls get 503 until it is back',
      );
    else
      context.log.info(
        { event: 'database_back', pid, lost_ms: Math.round(performance.now() - (lostAtMs ?? 0)) },
        'the database is back',
      );
    lostAtMs = isDown ? performance.now() : undefined;
  };
  const look = async (): Promise<void> => {
    let fault: unknown;
    try {
      const found = await askDatabase(context);
      if (!found) return;
      if (context.faults.isFull) await tryWriting(context);
      signs = found;
      lookedAtMs = performance.now();
    } catch (error) {
      signs = DOWN;
      fault = error;
    } finally {
      if (!isStopped) {
        tell(fault);
        afterLook();
      }
    }
  };
  const keepLooking = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => void look().then(keepLooking), REFRESH_MS);
    timer.unref();
  };

  return {
    read,
    async start() {
      await look();
      keepLooking();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Undefined when there was no answer in time. */
async function askDatabase(context: Context): Promise<DatabaseSigns | undefined> {
  const now = context.clock.now();
  const query = context.db<{ now: Date }[]>`select clock_timestamp() as now`;
  const fromMs = performance.now();
  const row = (await askInTime(query, TIMEOUT_MS))?.[0];
  if (!row) return undefined;
  const signs = signsOf(row, now, context);
  context.clock.follow?.(row.now, fromMs, performance.now());
  const oldest = await oldestDelivery(context);
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

/** A node that is away keeps its own rows back and nothing else: the service is up, and the lag is unknown. */
async function oldestDelivery({ db }: Context): Promise<Date | null | 'unknown'> {
  const query = db<{ oldest: Date | null }[]>`${statementsOf(db).oldestDelivery(db)}`;
  const rows = await askInTime(query, TIMEOUT_MS).catch(() => undefined);
  return rows === undefined ? 'unknown' : (rows[0]?.oldest ?? null);
}

/** More than fits into pages that are there already, so that new ones are needed; nothing of it stays. */
async function tryWriting({ serviceDb, faults, clock }: Context): Promise<void> {
  const undone = new Error('undone');
  await transaction(serviceDb, async (tx) => {
    await tx`
      insert into rate_budgets (name, subject, uses, leases, expires_at)
      select 'probe', gen_random_uuid(), to_jsonb(repeat(gen_random_uuid()::text, 40)), '{}', ${clock.now()}
      from generate_series(1, 200)`;
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  faults.isFull = false;
}
