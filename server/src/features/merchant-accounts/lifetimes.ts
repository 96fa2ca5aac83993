import { HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';

/** Each is valid while its age is at most this, to the millisecond. */
export const LINK_LIFE_MS = 15 * MINUTE_MS;
export const GRANT_LIFE_MS = 10 * MINUTE_MS;
export const SESSION_LIFE_MS = 12 * HOUR_MS;
export const SESSION_IDLE_MS = 30 * MINUTE_MS;
