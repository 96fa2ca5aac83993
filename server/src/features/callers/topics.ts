// Authenticates callers: device tokens, connection tokens and their proofs, and the topics that waiting calls subscribe
// to. Features that serve a wallet or a connection may import it. A token that was revoked, rotated or shown without
// its required proof opens nothing.

/**
 * Announced after a commit, so that waiting calls check again. Only hints: a waiting call also polls, and the tables
 * decide.
 */

/** Anything that gives a waiting poll of this connection a result, or ends it: events, rotation, revocation. */
export function connectionTopic(connectionId: string): string {
  return `connection:${connectionId}`;
}

/** Anything that changes what the wallet's inbox shows. */
export function walletTopic(walletId: string): string {
  return `wallet:${walletId}`;
}

/** Something that is not in the inbox awaits the wallet. */
export function waitingTopic(walletId: string): string {
  return `waiting:${walletId}`;
}

/** The wallet for which a topic announces that something may be pending. */
export function walletIn(topic: string): string | undefined {
  return /^(?:wallet|waiting):(.+)$/.exec(topic)?.[1];
}
