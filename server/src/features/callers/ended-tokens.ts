import { DAY_MS } from '../../lib/clock.ts';

/** How much of what was rotated is remembered for each device and connection, so that rows do not grow with rotations. */
export const KEPT_ENDED_TOKENS = { count: 10, forMs: 7 * DAY_MS } as const;
