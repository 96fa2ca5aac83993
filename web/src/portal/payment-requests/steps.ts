import type { PaymentRequest, PaymentRequestEvent } from '@payassent/sdk';
import { queryOptions } from '@tanstack/react-query';
import { merchantClient } from '../client.ts';

export interface Step {
  status: PaymentRequest['status'];
  at: string;
}

/** Everything that happened to the request. An event never changes; after the next one the request has another version. */
export function historyQuery({ request_id, connection_id, state_version, settlement }: PaymentRequest) {
  return queryOptions({
    queryKey: [
      'payment-requests',
      'history',
      connection_id,
      request_id,
      state_version,
      settlement?.state ?? null,
    ],
    queryFn: async ({ signal }) =>
      (await merchantClient.paymentRequests.history(request_id, { connection_id }, { signal })).events,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Every step that the request has taken, with its time. */
export function stepsOf(request: PaymentRequest, events: readonly PaymentRequestEvent[]): Step[] {
  const moves = events.filter(({ status, previous_status }) => status !== previous_status);
  return [
    { status: 'pending', at: request.created_at },
    ...moves.map(({ status, occurred_at }) => ({ status, at: occurred_at })),
  ];
}
