/** How often pages that follow changes read again. Reads are limited to 600 a minute per operator; these are far below. */
export const LIVE_MS = 2_000;
export const LIST_MS = 3_000;
export const CALM_MS = 5_000;
