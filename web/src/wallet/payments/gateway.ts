import type { WalletClient } from '@countersign/sdk';
import { type Payment, paymentOfAgent, paymentOfRequest } from './payment.ts';

/** How many records are looked through for a former payment to the same payee. */
const HISTORY_LENGTH = 500;
const PAGE = 100;

export interface Report {
  status: 'signed' | 'broadcasted' | 'confirmed' | 'failed' | 'rejected';
  txHash?: string | undefined;
  reasonCode?: string | undefined;
  reason?: string | undefined;
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
  };
  if (payment.kind === 'agent')
    return paymentOfAgent(await client.agentPayments.reportStatus(payment.id, body));
  const place = { connection_id: payment.connectionId };
  const answer = await client.paymentRequests.reportStatus(payment.id, { ...body, ...place });
  return paymentOfRequest(answer.payment_request);
}

/** Everything that waits for the user, oldest deadline first. */
export async function readWaiting(client: WalletClient): Promise<Payment[]> {
  const [requests, payments] = await Promise.all([
    client.paymentRequests.list({ status: 'pending', limit: PAGE }),
    client.agentPayments.list({ status: 'intent_created', limit: PAGE }),
  ]);
  return [...requests.payment_requests.map(paymentOfRequest), ...payments.items.map(paymentOfAgent)].sort(
    (a, b) => a.expiresAt.localeCompare(b.expiresAt),
  );
}

/** What was decided or is under way, newest first. */
export async function readRecent(client: WalletClient, limit: number): Promise<Payment[]> {
  const [requests, payments] = await Promise.all([
    client.paymentRequests.list({ limit }),
    client.agentPayments.list({ limit }),
  ]);
  return [...requests.payment_requests.map(paymentOfRequest), ...payments.items.map(paymentOfAgent)]
    .filter((payment) => payment.status !== 'pending')
    .sort(newestFirst)
    .slice(0, limit);
}

/** The wallet's own records, newest first, as far back as is looked. */
export async function readHistory(client: WalletClient): Promise<Payment[]> {
  const history: Payment[] = [];
  for await (const request of client.paymentRequests.each({ limit: PAGE })) {
    history.push(paymentOfRequest(request));
    if (history.length >= HISTORY_LENGTH) break;
  }
  let seen = 0;
  for await (const payment of client.agentPayments.each({ limit: PAGE })) {
    history.push(paymentOfAgent(payment));
    seen += 1;
    if (seen >= HISTORY_LENGTH) break;
  }
  return history.sort(newestFirst);
}

function newestFirst(a: Payment, b: Payment): number {
  return b.createdAt.localeCompare(a.createdAt);
}
