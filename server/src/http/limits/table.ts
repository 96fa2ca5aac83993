import type { RateLimitName } from '@payassent/protocol/api';

/**
 * The limits that protect the service and its callers, by name. Each holds over all processes together, in every window
 * as long as its period.
 */
export const RATE_LIMITS = {
  /** Signatures checked for one agent, from one address: whether they are the agent's is not known before. */
  assertions: { count: 60, periodS: 60, per: 'agent and address' },
  token: { count: 20, periodS: 60, per: 'agent' },
  claim: { count: 10, periodS: 60, per: 'agent' },
  pairing: { count: 10, periodS: 60, per: 'agent' },
  pairing_lookup: { count: 10, periodS: 60, per: 'device' },
  create: { count: 60, periodS: 60, per: 'connection' },
  reads: { count: 600, periodS: 60, per: 'credential' },
  proofs: { count: 1200, periodS: 60, per: 'connection' },
  merchant_mutations: { count: 120, periodS: 60, per: 'session' },
  wallet_mutations: { count: 60, periodS: 60, per: 'wallet' },
  /** In addition to the other: each act of a wallet leaves an audit entry that is kept for 400 days. */
  wallet_mutations_daily: { count: 1000, periodS: 86_400, per: 'wallet' },
  device_enrolment: { count: 20, periodS: 3600, per: 'address' },
  registrations: { count: 20, periodS: 3600, per: 'address' },
  /** Until one of the merchant's invitations was accepted: each is a mail to an address that a stranger chose. */
  first_invitations: { count: 20, periodS: 86_400, per: 'merchant' },
  invitations: { count: 100, periodS: 86_400, per: 'merchant' },
  /** Both steps of a sign-in count. */
  passkey_sign_in: { count: 60, periodS: 3600, per: 'address' },
  /** Calls of routes without a credential, counted before the body is read, and calls with an unknown credential. */
  anonymous: { count: 300, periodS: 60, per: 'address' },
} as const satisfies Record<RateLimitName, { count: number; periodS: number; per: string }>;

export interface RateRule {
  count: number;
  periodS: number;
}
/** A missing name is not limited. */
export type RateLimits = Partial<Record<RateLimitName, RateRule>>;

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
    all[name as RateLimitName] = { count: Number(match[2]), periodS: PERIODS[match[3] ?? 's'] ?? 1 };
  }
  return { limits: all, faults };
}
