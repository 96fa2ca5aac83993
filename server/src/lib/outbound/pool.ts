import type { Client } from 'undici';

/** One connection, or the attempt to make one, owned by one request. */
export interface Lease {
  readonly client: Client;
  /** The response was read to its end: the connection may carry another request. */
  release(): void;
  /** Ends the connection, or the attempt, immediately. */
  discard(): void;
}

export interface Pool {
  lease(origin: string): Lease;
  /** A connection that was never used before. */
  open(origin: string): Lease;
  close(): Promise<void>;
}

interface Connection {
  origin: string;
  client: Client;
  bornMs: number;
  leased: boolean;
  attempt: AbortController;
}

// A busy connection would otherwise never notice that its name has moved.
const connectionLifetimeMs = 60_000;
const maxIdleConnections = 256;

/**
 * Idle connections, per origin. Not undici's own pool: there an aborted request makes it connect again, just to find
 * that nothing is left to send, and an attempt to connect cannot be ended. Here a request owns its connection, so
 * aborting means closing it and nothing else. The caller limits how many requests run concurrently; there is no queue
 * in which they could wait.
 */
export function createPool(open: (origin: string, signal: AbortSignal) => Client): Pool {
  const all = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();
  let idleCount = 0;
  let closed = false;

  const leaveIdle = (connection: Connection): void => {
    const idle = idleByOrigin.get(connection.origin);
    const index = idle?.lastIndexOf(connection) ?? -1;
    if (idle === undefined || index < 0) return;
    idle.splice(index, 1);
    idleCount -= 1;
    if (idle.length === 0) idleByOrigin.delete(connection.origin);
  };

  const drop = async (connection: Connection): Promise<void> => {
    leaveIdle(connection);
    all.delete(connection);
    connection.attempt.abort();
    await connection.client.destroy();
  };

  const create = (origin: string): Connection => {
    const attempt = new AbortController();
    const client = open(origin, attempt.signal);
    const connection = { origin, client, bornMs: Date.now(), leased: true, attempt };
    // While leased, a request may be waiting in it, for which the client reconnects automatically.
    client.on('disconnect', () => {
      if (!connection.leased) void drop(connection);
    });
    all.add(connection);
    return connection;
  };

  const isFresh = (connection: Connection): boolean => Date.now() - connection.bornMs < connectionLifetimeMs;

  // The one used last, so that the others time out when there is less to do.
  const takeIdle = (origin: string): Connection | undefined => {
    for (let found = idleByOrigin.get(origin)?.at(-1); found; found = idleByOrigin.get(origin)?.at(-1)) {
      leaveIdle(found);
      if (isFresh(found)) return found;
      void drop(found);
    }
    return undefined;
  };

  const giveBack = (connection: Connection): void => {
    if (closed || !isFresh(connection)) return void drop(connection);
    connection.leased = false;
    const oldest = idleCount >= maxIdleConnections ? idleByOrigin.values().next().value?.[0] : undefined;
    if (oldest !== undefined) void drop(oldest);
    const idle = idleByOrigin.get(connection.origin) ?? [];
    idle.push(connection);
    idleByOrigin.set(connection.origin, idle);
    idleCount += 1;
  };

  const leaseOf = (connection: Connection): Lease => {
    connection.leased = true;
    let over = false;
    const once = (end: (connection: Connection) => unknown) => (): void => {
      if (!over) void end(connection);
      over = true;
    };
    return { client: connection.client, release: once(giveBack), discard: once(drop) };
  };

  return {
    lease: (origin) => leaseOf(takeIdle(origin) ?? create(origin)),
    open: (origin) => leaseOf(create(origin)),
    async close() {
      closed = true;
      await Promise.all([...all].map(drop));
    },
  };
}
