import { useQuery } from '@tanstack/react-query';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';

export function useAgent(id: string) {
  return useQuery({
    queryKey: ['agents', id],
    queryFn: ({ signal }) => merchantClient.agents.get(id, { signal }),
  });
}

/** The newest keys of an agent: one that works is among them unless somebody made a hundred since. */
export function useCredentials(agentId: string) {
  return useQuery({
    queryKey: ['agents', agentId, 'credentials'],
    queryFn: ({ signal }) => merchantClient.agents.credentials.list(agentId, { limit: 100 }, { signal }),
  });
}

export function refreshAgents(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['agents'] });
}
