import type { Connection } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { merchantClient } from '../client.ts';

const LOOK_AT_MOST = 2_000;

/** The API lists connections and has no call for one: look through the pages, newest first, up to a bound. */
async function findConnection(id: string, signal: AbortSignal): Promise<Connection | null> {
  let looked = 0;
  for await (const connection of merchantClient.connections.each({ limit: 100 }, { signal })) {
    if (connection.connection_id === id) return connection;
    looked += 1;
    if (looked >= LOOK_AT_MOST) break;
  }
  return null;
}

export function useConnection(id: string, everyMs: number) {
  return useQuery({
    queryKey: ['connections', 'one', id],
    queryFn: ({ signal }) => findConnection(id, signal),
    refetchInterval: everyMs,
  });
}
