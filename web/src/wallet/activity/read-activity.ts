import { compareDecimals, isDecimal } from '@payassent/protocol';
import type { CallOptions, WalletClient } from '@payassent/sdk';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { connectionsQuery } from '../connections/queries.ts';
import { type Payment, paymentOfAgent, paymentOfRequest } from '../payments/payment.ts';
import { MOST_RECORDS, PAGE } from '../read-up-to.ts';
import { useWallet } from '../session/session.tsx';

interface ActivityFilter {
  /** Part of a payee, domain, agent or id, or a whole amount. */
  words: string;
  connectionId: string | undefined;
  only: 'decided' | 'confirmed';
}

interface Activity {
  /** Newest first. */
  payments: Payment[];
  /** There are more of them. */
  hasMore: boolean;
  /** Older payments were left out, because the search has reached its bound. */
  isCut: boolean;
}

const DECIDED = 'signed,broadcasted,confirmed,failed,expired,rejected';

/**
 * The first `most` decided payments, read page by page and no further. The service filters by payee, domain and id;
 * agents' names and amounts are matched here, over a bounded number of records.
 */
async function readActivity(
  client: WalletClient,
  filter: ActivityFilter,
  most: number,
  agents: ReadonlyMap<string, string>,
  options: CallOptions,
): Promise<Activity> {
  const words = filter.words.trim().toLowerCase();
  const isAgent = [...agents.values()].some((name) => name.toLowerCase().includes(words));
  const isForService = words !== '' && !isDecimal(words) && !isAgent;
  const query = {
    limit: Math.min(most + 1, PAGE),
    ...(filter.connectionId === undefined ? {} : { connection_id: filter.connectionId }),
  };
  const status = filter.only === 'confirmed' ? ('confirmed' as const) : undefined;
  const merged = newestFirst(
    mapped(
      client.paymentRequests.each(
        { ...query, status: status ?? DECIDED, ...(isForService ? { q: words } : {}) },
        options,
      ),
      paymentOfRequest,
    ),
    mapped(client.agentPayments.each({ ...query, ...(status && { status }) }, options), paymentOfAgent),
  );
  const payments: Payment[] = [];
  let read = 0;
  for await (const payment of merged) {
    read += 1;
    if (payment.status !== 'pending' && (words === '' || hasWords(payment, words, agents)))
      payments.push(payment);
    if (payments.length > most) break;
    if (read >= MOST_RECORDS) return { payments: payments.slice(0, most), hasMore: false, isCut: true };
  }
  return { payments: payments.slice(0, most), hasMore: payments.length > most, isCut: false };
}

function hasWords(payment: Payment, words: string, agents: ReadonlyMap<string, string>): boolean {
  const { payee, id, agentName, facts, connectionId } = payment;
  if (isDecimal(words) && compareDecimals(words, facts.amount) === 0) return true;
  const names = [payee?.name, payee?.domain, id, agentName, agents.get(connectionId)];
  return names.some((name) => name?.toLowerCase().includes(words));
}

async function* mapped<T>(
  records: AsyncIterable<T>,
  change: (record: T) => Payment,
): AsyncGenerator<Payment, void, undefined> {
  for await (const record of records) yield change(record);
}

/** Merges two lists that are newest first; each is read no further than needed. */
async function* newestFirst(
  ...lists: [AsyncGenerator<Payment, void, undefined>, AsyncGenerator<Payment, void, undefined>]
): AsyncGenerator<Payment, void, undefined> {
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const [a, b] = heads.map((head) => (head.done ? '' : head.value.createdAt));
    const first = (a ?? '') >= (b ?? '') ? 0 : 1;
    const head = heads[first];
    if (head === undefined || head.done) return;
    yield head.value;
    heads[first] = await (lists[first] ?? lists[0]).next();
  }
}

/** The name of each connection's agent, as its merchant gave it; undefined until loaded. */
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
