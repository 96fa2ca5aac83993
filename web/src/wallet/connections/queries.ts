import type { WalletClient } from '@countersign/sdk';
import { queryOptions } from '@tanstack/react-query';

const REFRESH_MS = 8_000;

export function connectionsQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['connections'],
    queryFn: async () => (await client.connections.list({ limit: 100 })).connections,
    refetchInterval: REFRESH_MS,
  });
}
