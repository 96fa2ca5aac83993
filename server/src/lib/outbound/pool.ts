import { type Connect, Connection } from './connection.ts';

/** One connection, or the attempt to make one, in the hands of one request. */
export interface Lease {
  readonly connection: Connection;
  /** The response was read to its end: for so long the connection may wait to carry another request. */
  release(keepAliveMs: number): void;
  /** Ends the connection, or the attempt, at once. */
  discard(): void;
}

export interface Pool {
  lease(origin: string): Lease;
  /** A connection that nobody has used before. */
  open(origin: string): Lease;
  close(): void;
}

// A busy connection would otherwise never see that its name has moved.
const connectionLifetimeMs = 60_000;
const maxIdleConnections = 256;
const sweepEveryMs = 1_000;

/**
 * Connections that wait for their next request, per origin. A request owns its connection, so giving up means closing
 * it and nothing else. How many requests run at a time is the caller's to limit; there is no queue in which they could
 * wait.
 */
export function createPool(connectTo: (origin: string) => Connect): Pool {
  const all = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();
  let idleCount = 0;
  let closed = false;
  let sweeper: NodeJS.Timeout | undefined;

  const leaveIdle = (connection: Connection): void => {
    const idle = idleByOrigin.get(connection.origin);
    const index = idle?.lastIndexOf(connection) ?? -1;
    if (idle === undefined || index < 0) return;
    idle.splice(index, 1);
    idleCount -= 1;
    if (idle.length === 0) idleByOrigin.delete(connection.origin);
  };

  const drop = (connection: Connection): void => {
    leaveIdle(connection);
    all.delete(connection);
    connection.destroy();
  };

  const create = (origin: string): Connection => {
    const connection = new Connection(origin, connectTo(origin), drop);
    all.add(connection);
    return connection;
  };

  const isFresh = (connection: Connection): boolean =>
    Date.now() - connection.bornMs < connectionLifetimeMs && performance.now() < connection.idleUntilMs;

  // The one used last, so that the others can die of boredom when there is less to do.
  const takeIdle = (origin: string): Connection | undefined => {
    for (let found = idleByOrigin.get(origin)?.at(-1); found; found = idleByOrigin.get(origin)?.at(-1)) {
      leaveIdle(found);
      if (isFresh(found)) return found;
      drop(found);
    }
    return undefined;
  };

  const sweep = (): void => {
    for (const connection of all) if (!connection.isLeased && !isFresh(connection)) drop(connection);
    if (idleCount > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  const giveBack = (connection: Connection, keepAliveMs: number): void => {
    connection.idleUntilMs = performance.now() + keepAliveMs;
    if (closed || !isFresh(connection)) return void drop(connection);
    connection.isLeased = false;
    connection.hold(false);
    const oldest = idleCount >= maxIdleConnections ? idleByOrigin.values().next().value?.[0] : undefined;
    if (oldest !== undefined) drop(oldest);
    const idle = idleByOrigin.get(connection.origin);
    if (idle === undefined) idleByOrigin.set(connection.origin, [connection]);
    else idle.push(connection);
    idleCount += 1;
    sweeper ??= setInterval(sweep, sweepEveryMs).unref();
  };

  const leaseOf = (connection: Connection): Lease => {
    connection.isLeased = true;
    connection.hold(true);
    let over = false;
    return {
      connection,
      release(keepAliveMs) {
        if (!over) giveBack(connection, keepAliveMs);
        over = true;
      },
      discard() {
        if (!over) drop(connection);
        over = true;
      },
    };
  };

  return {
    lease: (origin) => leaseOf(takeIdle(origin) ?? create(origin)),
    open: (origin) => leaseOf(create(origin)),
    close() {
      closed = true;
      for (const connection of all) drop(connection);
      clearInterval(sweeper);
    },
  };
}
