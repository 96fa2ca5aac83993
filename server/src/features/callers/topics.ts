// Who calls: device tokens, connection tokens and their proofs, and the topics that waiting calls listen to.
// Features that serve a wallet or a connection may import it.
// A token that was revoked, rotated or shown without its required proof opens nothing.

/**
 * What is announced after a commit, so that waiting calls look again. Only hints: a waiting call also looks by
 * itself from time to time, and what it finds in the tables decides.
 */

/** Anything that gives a waiting poll of this connection something to say, or ends it: events, rotation, revocation. */
export function connectionTopic(connectionId: string): string {
  return `connection:${connectionId}`;
}

/** Anything that changes what the wallet's inbox shows. */
export function walletTopic(walletId: string): string {
  return `wallet:${walletId}`;
}

/** Something that the inbox does not show waits for the wallet. */
export function waitingTopic(walletId: string): string {
  return `waiting:${walletId}`;
}

/** The wallet of which a topic says that something may wait for it. */
export function walletIn(topic: string): string | undefined {
  return /^(?:wallet|waiting):(.+)$/.exec(topic)?.[1];
}
