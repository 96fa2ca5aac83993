/** The embedded database cannot be used. The message says what is wrong and names the fix. */
export class EmbeddedStartError extends Error {
  override readonly name = 'EmbeddedStartError';
}

/** The way out that works everywhere. */
export const USE_OWN_SERVER = 'or set DATABASE_URL to a PostgreSQL server of your own';
