import { type CallOptions, isApiError, type SignedDecision, type WalletClient } from '@payassent/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PAGE, readAll, readUpTo } from '../read-up-to.ts';
import { mergeHistory, paidPayees } from '../storage/paid-payees.ts';
import { PAID_STATUSES, type Payment, paymentOfAgent, paymentOfRequest } from './payment.ts';

export interface Report {
  status: 'signed' | 'broadcasted' | 'confirmed' | 'failed' | 'rejected';
  txHash?: string | undefined;
  reasonCode?: string | undefined;
  reason?: string | undefined;
  /** This device reports on what another one has signed. */
  takeover?: true | undefined;
  /** With `signed` and `rejected`: the customer's signed decision. */
  decision?: SignedDecision | undefined;
}

export async function readPayment(
  client: WalletClient,
  place: Pick<Payment, 'kind' | 'id' | 'connectionId'>,
): Promise<Payment> {
  if (place.kind === 'agent') return paymentOfAgent(await client.agentPayments.get(place.id));
  const query = { connection_id: place.connectionId };
  return paymentOfRequest((await client.paymentRequests.get(place.id, query)).payment_request);
}

export async function reportPayment(
  client: WalletClient,
  payment: Payment,
  report: Report,
): Promise<Payment> {
  const body = {
    status: report.status,
    ...(report.txHash === undefined ? {} : { tx_hash: report.txHash }),
    ...(report.reasonCode === undefined ? {} : { reason_code: report.reasonCode }),
    ...(report.reason === undefined || report.reason === '' ? {} : { reason: report.reason }),
    ...(report.takeover === undefined ? {} : { takeover: report.takeover }),
    ...(report.decision === undefined ? {} : { decision: report.decision }),
  };
  const moved = await sendReport(client, payment, body);
  paidPayees.remember([moved]);
  return moved;
}

async function sendReport(
  client: WalletClient,
  { kind, id, connectionId }: Payment,
  body: { status: Report['status'] },
): Promise<Payment> {
  if (kind === 'agent') return paymentOfAgent(await client.agentPayments.reportStatus(id, body));
  const answer = await client.paymentRequests.reportStatus(id, { ...body, connection_id: connectionId });
  return paymentOfRequest(answer.payment_request);
}

/** Everything that waits for the user, oldest deadline first. */
async function readWaiting(client: WalletClient, options: CallOptions): Promise<Payment[]> {
  const [requests, payments] = await Promise.all([
    readAll(client.paymentRequests.each({ status: 'pending', limit: PAGE }, options)),
    readAll(client.agentPayments.each({ status: 'intent_created', limit: PAGE }, options)),
  ]);
  return [...requests.map(paymentOfRequest), ...payments.map(paymentOfAgent)].sort((a, b) =>
    a.expiresAt.localeCompare(b.expiresAt),
  );
}

const DECIDED = [...PAID_STATUSES, 'failed', 'expired', 'rejected'] as const;

/** Decided payments and those under way, newest first, however many are pending before them. */
export function readDecided(client: WalletClient, most: number, options: CallOptions): Promise<Payment[]> {
  return readByStatus(client, most, DECIDED, [...DECIDED, 'cancelled'], options);
}

/** What was paid or at least signed, newest first: nothing else that agents cause can be in its way. */
export function readPaid(client: WalletClient, most: number, options: CallOptions): Promise<Payment[]> {
  return readByStatus(client, most, PAID_STATUSES, PAID_STATUSES, options);
}

/** The service picks the statuses; the page would have to go through everything else first. */
async function readByStatus(
  client: WalletClient,
  most: number,
  ofRequests: readonly (typeof DECIDED)[number][],
  ofPayments: readonly ((typeof DECIDED)[number] | 'cancelled')[],
  options: CallOptions,
): Promise<Payment[]> {
  const limit = Math.min(most, PAGE);
  const [requests, payments] = await Promise.all([
    Promise.all(
      ofRequests.map((status) => readUpTo(most, client.paymentRequests.each({ status, limit }, options))),
    ),
    Promise.all(
      ofPayments.map((status) => readUpTo(most, client.agentPayments.each({ status, limit }, options))),
    ),
  ]);
  return [...requests.flat().map(paymentOfRequest), ...payments.flat().map(paymentOfAgent)]
    .sort(newestFirst)
    .slice(0, most);
}

function newestFirst(a: Payment, b: Payment): number {
  return b.createdAt.localeCompare(a.createdAt);
}

/** Decisions of other devices and expiries are not in the inbox stream, so lists are also polled. */
const REFRESH_MS = 8_000;
/** How many records are searched for a previous payment to the same payee. */
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

/** Paid payments, from the service and from this device's own records. */
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
