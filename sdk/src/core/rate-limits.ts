import type { Clock } from './clock.ts';

/** What the service reported last about one of its limits. */
export interface RateLimit {
  /** The limit's name, for example `create`. */
  name: string;
  /** Calls that are left in the present window. */
  remaining: number;
  /** When the window ends, in milliseconds since 1970 by the client's clock. */
  resetsAt: number;
  /** Calls in a whole window, if given. */
  quota?: number;
  /** Length of a window, if given. */
  windowMs?: number;
}

/** Limits by the call that met them. */
export interface RateLimitMemory {
  /** Reads `RateLimit` and `RateLimit-Policy` of a response. */
  learn(call: string, headers: Headers): void;
  /** How long a call should wait to stay within the limit; 0 when it may be sent. */
  waitMs(call: string): number;
  known(): RateLimit[];
}

export function createRateLimitMemory(clock: Clock): RateLimitMemory {
  // Keyed by published paths, of which there are few: it cannot grow.
  const byCall = new Map<string, RateLimit>();
  return {
    learn(call, headers) {
      const limit = parseRateLimit(headers, clock.now());
      if (limit) byCall.set(call, limit);
    },
    waitMs(call) {
      const limit = byCall.get(call);
      return limit && limit.remaining === 0 ? Math.max(0, limit.resetsAt - clock.now()) : 0;
    },
    known() {
      const byName = new Map([...byCall.values()].map((limit) => [limit.name, limit]));
      return [...byName.values()].filter((limit) => limit.resetsAt > clock.now());
    },
  };
}

/** `RateLimit: "create";r=59;t=12` and `RateLimit-Policy: "create";q=60;w=60`. */
function parseRateLimit(headers: Headers, now: number): RateLimit | undefined {
  const [name, state] = parseItem(headers.get('ratelimit'));
  const remaining = state['r'];
  const resetS = state['t'];
  if (name === undefined || remaining === undefined || resetS === undefined) return undefined;
  const [policyName, policy] = parseItem(headers.get('ratelimit-policy'));
  const { q: quota, w: windowS } = policyName === name ? policy : {};
  return {
    name,
    remaining,
    resetsAt: now + resetS * 1000,
    ...(quota === undefined ? {} : { quota }),
    ...(windowS === undefined ? {} : { windowMs: windowS * 1000 }),
  };
}

function parseItem(text: string | null): [string | undefined, Record<string, number | undefined>] {
  const [name, ...parameters] = (text ?? '').split(';').map((part) => part.trim());
  const members: Record<string, number | undefined> = {};
  for (const parameter of parameters) {
    const match = /^([a-z]+)=([0-9]{1,12})$/.exec(parameter);
    if (match?.[1]) members[match[1]] = Number(match[2]);
  }
  return [/^"(.+)"$/.exec(name ?? '')?.[1], members];
}

/** Seconds or a date, as milliseconds from now. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^[0-9]{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
