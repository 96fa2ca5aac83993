/** The embedded database cannot be used. The message names the problem and the fix. */
export class EmbeddedStartError extends Error {
  override readonly name = 'EmbeddedStartError';
}

/** The fix that works everywhere. */
export const USE_OWN_SERVER = 'or set DATABASE_URL to your own PostgreSQL server';
