import { randomBytes } from 'node:crypto';
import type { RateLimitName } from '@payassent/protocol/api';
import type { Database } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type { RetentionRule } from '../../jobs/retention.ts';
import type { Keys } from '../../lib/keys.ts';
import type { CounterSpec, Metrics } from '../../telemetry/metrics.ts';
import type { RateLimits, RateRule } from './table.ts';

export interface RateState {
  headers: Record<string, string>;
  /** Refunds the call. */
  giveBack(): Promise<void>;
}

export interface RateLimiter {
  /**
   * Whether there is such a limit at all; checked first, so that the caller's identity need not be computed without
   * one.
   */
  has(name: RateLimitName): boolean;
  /** Counts one call and rejects it when the limit is exceeded. Limits that are off do nothing. */
  take(name: RateLimitName, subject: string, now: Date): Promise<RateState | undefined>;
  /** Whether this limit currently rejects any subject, as far as this process knows. */
  refusesSomebody(name: RateLimitName, now: Date): boolean;
  /** Rejects, and counts nothing, when the last result for this subject was a rejection. */
  refuseWhenSpent(name: RateLimitName, subject: string, now: Date): void;
}

const HITS: CounterSpec<'limit'> = {
  name: 'svc_rate_limit_hits_total',
  help: 'Calls that a rate limit refused, by limit.',
  labels: ['limit'],
};

/** A process takes a twentieth of a limit at a time, so that most calls cost no statement. */
const LEASES_PER_LIMIT = 20;
/** Longer than the time between two long polls: connections that only wait rarely need a new lease. */
const LEASE_MS = 10 * 60_000;
/** A rejection is cached for so long at most: others may refund calls. */
const REFUSAL_MS = 1_000;
const MAX_SUBJECTS = 50_000;

interface BudgetAnswer {
  granted: number;
  leased: number;
  remaining: number;
  /** When something becomes free again; null when nothing is in use. */
  free_ms: number | null;
}

/** This process's state of one budget. */
interface Budget {
  name: RateLimitName;
  subject: string;
  limit: RateRule;
  /** Granted for calls that are waiting here: already counted, and used immediately. */
  granted: number;
  /** Taken ahead and unused, until the end of the lease. */
  leased: number;
  leaseEndMs: number;
  /** Used of the lease since the last report. */
  used: number;
  firstUsedMs: number;
  lastUsedMs: number;
  /** Across all processes, as of the last refresh. */
  remaining: number;
  freeMs: number;
  /** Set when the last result was a rejection. */
  refusedFromMs: number;
  refusedUntilMs: number;
  waiting: number;
  asking: Promise<void> | undefined;
}

/**
 * Limits over a sliding period, exact over all processes: a call passes only with a place taken from the budget that
 * all of them share. Places are taken in batches and granted from memory, so the sum never exceeds a limit, and falls
 * short of it by no more than what other processes hold ahead, a tenth of the remainder at most.
 */
export function createRateLimiter(
  limits: RateLimits,
  db: Database,
  keys: Keys,
  metrics: Metrics,
): RateLimiter {
  for (const limit of Object.keys(limits)) metrics.increment(HITS, { limit }, 0);
  const refuseWhenRefused = (budget: Budget, nowMs: number): void => {
    if (nowMs < budget.refusedFromMs || nowMs >= budget.refusedUntilMs) return;
    metrics.increment(HITS, { limit: budget.name });
    throw refusal(budget, nowMs);
  };
  const budgets = new Map<string, Budget>();
  const process = randomBytes(6).toString('base64url');
  const refusedUntilMs = new Map<RateLimitName, number>();

  const budgetOf = (name: RateLimitName, subject: string, limit: RateRule): Budget => {
    const key = `${name} ${subject}`;
    const known = budgets.get(key);
    if (known) return known;
    // Evicts the one created or renewed longest ago; what it had taken ahead is returned when its lease expires.
    const [oldest] = budgets.keys();
    if (budgets.size >= MAX_SUBJECTS && oldest !== undefined) budgets.delete(oldest);
    const budget = newBudget(name, subject, limit);
    budgets.set(key, budget);
    return budget;
  };

  /** One query at a time for each budget: what is reported and kept must not change while it is in flight. */
  const ask = async (budget: Budget, nowMs: number, correction: number): Promise<void> => {
    const { name, subject, limit, used } = budget;
    const key = `${name} ${subject}`;
    if (budgets.delete(key)) budgets.set(key, budget);
    const need = correction === 0 ? budget.waiting : 0;
    const keep = nowMs > budget.leaseEndMs ? 0 : budget.leased;
    const leaseEndMs = nowMs + LEASE_MS;
    // Keyed hash: network addresses are private.
    const hashed = keys.mac('rate-subject', keys.currentKeyId, key).toString('base64url');
    const { count, periodS } = limit;
    const extra = need === 0 ? 0 : Math.floor(count / LEASES_PER_LIMIT) - 1;
    Object.assign(budget, { used: 0, leased: 0 });
    // What was used of the previous lease and when last, what remains of it here, what is needed, and what is taken
    // ahead.
    const [answer] = await db<[BudgetAnswer]>`
      select granted, leased, remaining, free_ms from take_from_budget(
        ${name}, ${hashed}, ${count}, ${periodS * 1000}, ${nowMs}, ${process},
        ${used + correction}, ${used > 0 ? budget.lastUsedMs : nowMs}, ${keep}, ${need}, ${extra}, ${leaseEndMs})`.catch(
      (error: unknown) => {
        // It may or may not have been executed. Reporting twice is safe, losing a report is not.
        Object.assign(budget, { used, leased: keep });
        throw error;
      },
    );
    Object.assign(budget, { leased: keep + answer.leased, leaseEndMs });
    note(budget, answer, need, nowMs);
    if (budget.refusedUntilMs > nowMs)
      refusedUntilMs.set(name, Math.max(refusedUntilMs.get(name) ?? 0, budget.refusedUntilMs));
  };

  const askAlone = (budget: Budget, nowMs: number, correction: number): Promise<void> => {
    const asking = ask(budget, nowMs, correction).finally(() => {
      budget.asking = undefined;
    });
    budget.asking = asking;
    return asking;
  };

  const giveBack = async (budget: Budget, nowMs: number): Promise<void> => {
    while (budget.asking) await budget.asking.catch(() => {});
    await askAlone(budget, nowMs, -1);
  };

  const takeOne = async (budget: Budget, nowMs: number): Promise<RateState> => {
    while (!use(budget, nowMs)) {
      refuseWhenRefused(budget, nowMs);
      budget.waiting += 1;
      try {
        await (budget.asking ?? askAlone(budget, nowMs, 0));
      } finally {
        budget.waiting -= 1;
      }
    }
    return {
      headers: rateHeaders(budget, nowMs),
      giveBack: () => giveBack(budget, nowMs),
    };
  };

  return {
    has: (name) => limits[name] !== undefined,
    async take(name, subject, now) {
      const limit = limits[name];
      return limit && takeOne(budgetOf(name, subject, limit), now.getTime());
    },
    refusesSomebody: (name, now) => (refusedUntilMs.get(name) ?? 0) > now.getTime(),
    refuseWhenSpent(name, subject, now) {
      const budget = budgets.get(`${name} ${subject}`);
      if (budget) refuseWhenRefused(budget, now.getTime());
    },
  };
}

function newBudget(name: RateLimitName, subject: string, limit: RateRule): Budget {
  return {
    name,
    subject,
    limit,
    granted: 0,
    leased: 0,
    leaseEndMs: 0,
    used: 0,
    firstUsedMs: 0,
    lastUsedMs: 0,
    remaining: limit.count,
    freeMs: Number.POSITIVE_INFINITY,
    refusedFromMs: 0,
    refusedUntilMs: 0,
    waiting: 0,
    asking: undefined,
  };
}

function note(budget: Budget, answer: BudgetAnswer, need: number, nowMs: number): void {
  budget.granted += answer.granted;
  budget.remaining = answer.remaining;
  budget.freeMs = answer.free_ms ?? Number.POSITIVE_INFINITY;
  const isRefused = answer.granted < need;
  budget.refusedFromMs = isRefused ? nowMs : 0;
  budget.refusedUntilMs = isRefused ? Math.min(budget.freeMs, nowMs + REFUSAL_MS) : 0;
}

function use(budget: Budget, nowMs: number): boolean {
  if (budget.granted > 0) {
    budget.granted -= 1;
    return true;
  }
  if (budget.leased === 0 || nowMs > budget.leaseEndMs) return false;
  budget.leased -= 1;
  if (budget.used === 0) budget.firstUsedMs = nowMs;
  budget.used += 1;
  budget.lastUsedMs = Math.max(budget.lastUsedMs, nowMs);
  return true;
}

function refusal(budget: Budget, nowMs: number): AppError {
  const headers = { ...rateHeaders(budget, nowMs), 'retry-after': String(secondsToFree(budget, nowMs)) };
  return new AppError('rate_limited', { headers });
}

/** `RateLimit` and `RateLimit-Policy` as structured fields. */
function rateHeaders(budget: Budget, nowMs: number): Record<string, string> {
  const { name, limit } = budget;
  return {
    ratelimit: `"${name}";r=${budget.remaining + budget.leased};t=${secondsToFree(budget, nowMs)}`,
    'ratelimit-policy': `"${name}";q=${limit.count};w=${limit.periodS}`,
  };
}

/** Until the first call of the period no longer counts. */
function secondsToFree({ limit, used, firstUsedMs, freeMs }: Budget, nowMs: number): number {
  const periodMs = limit.periodS * 1000;
  const free = Math.min(
    freeMs,
    used > 0 ? firstUsedMs + periodMs : Number.POSITIVE_INFINITY,
    nowMs + periodMs,
  );
  return Math.max(1, Math.ceil((free - nowMs) / 1000));
}

export const rateBudgetRetention: RetentionRule = {
  name: 'rate budgets',
  tables: ['rate_budgets'],
  async purge(db, now, limit) {
    const result = await db`
      delete from rate_budgets where (name, subject) in (
        select name, subject from rate_budgets where expires_at < ${now}
        order by expires_at limit ${limit} for update skip locked)`;
    return result.count;
  },
};
