import type { RateLimitName } from '@countersign/protocol/api';
import type { Database } from '../db/open.ts';
import { AppError } from '../errors.ts';
import type { RateLimit, RateLimits } from './rate-limit-table.ts';

export interface RateState {
  headers: Record<string, string>;
}

export interface RateLimiter {
  /** Whether there is such a limit at all; who asks first need not find out whose call it is. */
  has(name: RateLimitName): boolean;
  /** Counts one call and refuses it when the limit is passed. Absent limits pass without a trace. */
  take(name: RateLimitName, subject: string, now: Date): Promise<RateState | undefined>;
}

/** Fixed windows. Security limits are rows, shared by all processes; the others live in memory. */
export function createRateLimiter(limits: RateLimits, db: Database): RateLimiter {
  const memory = createMemoryCounters();
  return {
    has: (name) => limits[name] !== undefined,
    async take(name, subject, now) {
      const limit = limits[name];
      if (!limit) return undefined;
      const windowMs = limit.periodS * 1000;
      const windowStart = new Date(Math.floor(now.getTime() / windowMs) * windowMs);
      const count = limit.security
        ? await countInDatabase(db, name, subject, windowStart, windowMs)
        : memory.count(`${name}/${subject}`, windowStart.getTime(), windowMs);
      const resetS = Math.max(1, Math.ceil((windowStart.getTime() + windowMs - now.getTime()) / 1000));
      const headers = rateHeaders(name, limit, Math.max(0, limit.count - count), resetS);
      if (count > limit.count) {
        throw new AppError('rate_limited', { headers: { ...headers, 'retry-after': String(resetS) } });
      }
      return { headers };
    },
  };
}

/** `RateLimit` and `RateLimit-Policy` as structured fields. */
function rateHeaders(
  name: string,
  limit: RateLimit,
  remaining: number,
  resetS: number,
): Record<string, string> {
  return {
    ratelimit: `"${name}";r=${remaining};t=${resetS}`,
    'ratelimit-policy': `"${name}";q=${limit.count};w=${limit.periodS}`,
  };
}

export async function countInDatabase(
  db: Database,
  name: string,
  subject: string,
  windowStart: Date,
  windowMs: number,
): Promise<number> {
  const rows = await db<{ count: number }[]>`
    insert into rate_counters (name, subject, window_start, count, expires_at)
    values (${name}, ${subject}, ${windowStart}, 1, ${new Date(windowStart.getTime() + 2 * windowMs)})
    on conflict (name, subject, window_start) do update set count = rate_counters.count + 1
    returning count`;
  return rows[0]?.count ?? 1;
}

function createMemoryCounters() {
  const counters = new Map<string, { windowStart: number; windowMs: number; count: number }>();
  const MAX_ENTRIES = 50_000;
  return {
    count(key: string, windowStart: number, windowMs: number): number {
      const known = counters.get(key);
      if (known && known.windowStart === windowStart) {
        known.count += 1;
        return known.count;
      }
      if (counters.size >= MAX_ENTRIES) {
        for (const [old, entry] of counters)
          if (entry.windowStart + entry.windowMs <= windowStart) counters.delete(old);
        // Still full of live windows: forgetting the oldest bounds memory; a forgotten caller starts afresh.
        for (const old of counters.keys()) {
          if (counters.size < MAX_ENTRIES) break;
          counters.delete(old);
        }
      }
      counters.set(key, { windowStart, windowMs, count: 1 });
      return 1;
    },
  };
}
