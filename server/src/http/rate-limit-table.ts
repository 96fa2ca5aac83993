import type { RateLimitName } from '@countersign/protocol/api';

/**
 * The limits that protect the service, by name. `security` limits guard something guessable or costly and are
 * counted in PostgreSQL, so that they hold across processes; the others only smooth load and are counted in
 * memory, per process.
 */
export const RATE_LIMITS = {
  token: { count: 20, periodS: 60, per: 'agent', security: true },
  claim: { count: 10, periodS: 60, per: 'agent', security: true },
  pairing: { count: 10, periodS: 60, per: 'agent', security: true },
  pairing_lookup: { count: 10, periodS: 60, per: 'device', security: true },
  create: { count: 60, periodS: 60, per: 'connection', security: false },
  reads: { count: 600, periodS: 60, per: 'credential', security: false },
  proofs: { count: 1200, periodS: 60, per: 'connection', security: false },
  merchant_mutations: { count: 120, periodS: 60, per: 'session', security: false },
  device_enrolment: { count: 20, periodS: 3600, per: 'address', security: true },
  registrations: { count: 20, periodS: 3600, per: 'address', security: true },
} as const satisfies Record<
  RateLimitName,
  { count: number; periodS: number; per: string; security: boolean }
>;

export interface RateLimit {
  count: number;
  periodS: number;
  security: boolean;
}
/** A name that is missing is not limited. */
export type RateLimits = Partial<Record<RateLimitName, RateLimit>>;

const PERIODS: Record<string, number> = { s: 1, min: 60, h: 3600, d: 86_400 };

/** `on`, `off`, or `name=count/period,…` which changes the named limits and leaves the others on. */
export function parseRateLimits(text: string): { limits: RateLimits; faults: string[] } {
  const all: RateLimits = { ...RATE_LIMITS };
  if (text === 'on') return { limits: all, faults: [] };
  if (text === 'off') return { limits: {}, faults: [] };
  const faults: string[] = [];
  for (const entry of text.split(',')) {
    const match = /^\s*([a-z_]+)=(\d{1,9})\/(s|min|h|d)\s*$/.exec(entry);
    const name = match?.[1];
    if (!match || !name || !(name in RATE_LIMITS)) {
      faults.push(
        `has "${entry.trim()}": write on, off, or entries like create=60/min with a name of ${Object.keys(RATE_LIMITS).join(', ')} and a period of s, min, h or d.`,
      );
      continue;
    }
    const limitName = name as RateLimitName;
    all[limitName] = {
      count: Number(match[2]),
      periodS: PERIODS[match[3] ?? 's'] ?? 1,
      security: RATE_LIMITS[limitName].security,
    };
  }
  return { limits: all, faults };
}
