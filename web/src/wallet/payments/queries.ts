import { isApiError, type WalletClient } from '@payassent/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { mergeHistory, paidPayees } from '../storage/paid-payees.ts';
import { readDecided, readPaid, readPayment, readWaiting } from './gateway.ts';
import type { Payment } from './payment.ts';

/** Decisions of other devices and expiries make no news in the inbox, so lists are also read now and then. */
const REFRESH_MS = 8_000;
/** How many records are looked through for a former payment to the same payee. */
const HISTORY_LENGTH = 500;

export function waitingQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['payments', 'waiting'],
    queryFn: ({ signal }) => readWaiting(client, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function recentQuery(client: WalletClient, limit: number) {
  return queryOptions({
    queryKey: ['payments', 'recent', limit],
    queryFn: ({ signal }) => readDecided(client, limit, { signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

export function paymentQuery(client: WalletClient, place: Pick<Payment, 'kind' | 'id' | 'connectionId'>) {
  return queryOptions({
    queryKey: ['payments', 'one', place.kind, place.connectionId, place.id],
    queryFn: () => readPayment(client, place),
    refetchInterval: REFRESH_MS,
  });
}

/** What was paid, as the service tells and as this device remembers. */
export function historyQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['payments', 'history'],
    queryFn: async ({ signal }) => {
      const paid = await readPaid(client, HISTORY_LENGTH, { signal });
      paidPayees.remember(paid);
      return mergeHistory(paidPayees.read(), paid);
    },
  });
}

/** What the agent wrote about a payment. */
export function contextQuery(
  client: WalletClient,
  connectionId: string,
  context: NonNullable<Payment['context']>,
) {
  return queryOptions({
    queryKey: ['context', connectionId, context.transactionId, context.revision],
    queryFn: () => readContext(client, connectionId, context),
    // A pinned revision never changes.
    ...(context.revision === null ? {} : { staleTime: Number.POSITIVE_INFINITY }),
  });
}

/** Members of a context that the service writes itself. */
const OWN_CONTEXT_MEMBERS: ReadonlySet<string> = new Set([
  'transaction_id',
  'connection_id',
  'revision',
  'created_at',
]);

async function readContext(
  client: WalletClient,
  connectionId: string,
  { transactionId, revision }: NonNullable<Payment['context']>,
): Promise<{ content: Record<string, unknown>; createdAt: string } | null> {
  const query = { connection_id: connectionId, ...(revision === null ? {} : { revision }) };
  try {
    const { transaction_context } = await client.context(transactionId, query);
    const entries = Object.entries<unknown>({ ...transaction_context });
    const content = Object.fromEntries(entries.filter(([name]) => !OWN_CONTEXT_MEMBERS.has(name)));
    return { content, createdAt: transaction_context.created_at };
  } catch (error) {
    // Named by the request, but not written yet.
    if (revision === null && isApiError(error, 'resource_not_found')) return null;
    throw error;
  }
}
