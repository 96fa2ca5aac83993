import type { WalletClient } from '@payassent/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE, readAll } from '../lists/read-up-to.ts';

const REFRESH_MS = 8_000;

export function connectionsQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['connections'],
    queryFn: () => readAll(client.connections.each({ limit: PAGE })),
    refetchInterval: REFRESH_MS,
  });
}
