import type { PaymentRequest } from '@payassent/sdk';
import { queryOptions } from '@tanstack/react-query';
import { merchantClient } from '../client.ts';

export interface Step {
  status: PaymentRequest['status'];
  at: string;
}

/** Every step that the request has taken, with its time. */
export function stepsQuery({ request_id, connection_id, state_version, created_at }: PaymentRequest) {
  return queryOptions({
    queryKey: ['payment-requests', 'steps', connection_id, request_id, state_version],
    queryFn: async ({ signal }): Promise<Step[]> => {
      const { events } = await merchantClient.paymentRequests.history(
        request_id,
        { connection_id },
        { signal },
      );
      const moves = events.filter(({ status, previous_status }) => status !== previous_status);
      return [
        { status: 'pending', at: created_at },
        ...moves.map(({ status, occurred_at }) => ({ status, at: occurred_at })),
      ];
    },
    // A step never changes; after the next one the request has another version.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
