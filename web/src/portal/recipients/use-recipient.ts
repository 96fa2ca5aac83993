import { useQuery } from '@tanstack/react-query';
import { merchantClient } from '../client.ts';

export function useRecipient(id: string) {
  return useQuery({
    queryKey: ['recipients', id],
    queryFn: ({ signal }) => merchantClient.recipients.get(id, { signal }),
  });
}
