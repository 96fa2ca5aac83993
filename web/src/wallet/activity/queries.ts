import type { WalletClient } from '@payassent/sdk';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { connectionsQuery } from '../connections/queries.ts';
import { useWallet } from '../session/session.tsx';
import { type ActivityFilter, readActivity } from './read-activity.ts';

/** The name of each connection's agent, as its merchant gave it; undefined until they are known. */
export function useAgentNames(): ReadonlyMap<string, string> | undefined {
  const connections = useQuery(connectionsQuery(useWallet())).data;
  return connections && new Map(connections.map(({ connection_id, agent }) => [connection_id, agent.name]));
}

export function activityQuery(
  client: WalletClient,
  filter: ActivityFilter,
  most: number,
  agents: ReadonlyMap<string, string> | undefined,
) {
  return queryOptions({
    queryKey: ['payments', 'activity', filter, most, [...(agents?.keys() ?? [])]],
    queryFn: ({ signal }) => readActivity(client, filter, most, agents ?? new Map(), { signal }),
    enabled: agents !== undefined,
    placeholderData: keepPreviousData,
  });
}
