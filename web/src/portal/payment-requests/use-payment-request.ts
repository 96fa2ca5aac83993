import { useQuery } from '@tanstack/react-query';
import { merchantClient } from '../client.ts';
import { LIVE_MS } from '../parts/intervals.ts';

/** One request, followed until it is final. Two connections may have one id; a link from the list says which is meant. */
export function usePaymentRequest(id: string, connection: string | null) {
  const choice = connection === null ? {} : { connection_id: connection };
  return useQuery({
    queryKey: ['payment-requests', 'one', id, connection],
    queryFn: async ({ signal }) =>
      (await merchantClient.paymentRequests.get(id, choice, { signal })).payment_request,
    refetchInterval: ({ state }) => (state.data?.is_final ? false : LIVE_MS),
  });
}
